/** Reading of a stream of audio that a page receives. */
export const audio = {
  stream: 'k3f-0-4711',
  packetsReceived: 500,
  totalSamplesReceived: 480_000,
  concealedSamples: 9600,
  concealmentEvents: 3,
};
