/** The files that the media server writes into the folder of a record; the video where the frames are kept, too. */
import { videoFileName } from '../media/ivf.ts';

export const recordFiles = {
  frames: 'frames.sent.jsonl',
  packets: 'packets.jsonl',
  controller: 'controller.jsonl',
  probes: 'probes.jsonl',
  roundTrips: 'rtt.jsonl',
  video: videoFileName,
};
