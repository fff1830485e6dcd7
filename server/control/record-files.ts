/**
 * Names of the files that the media server writes into a record's folder. The video is written only if encoded frames
 * are kept, the voice only if there is one.
 */
import { videoFileName } from '../media/ivf.ts';

export const recordFiles = {
  frames: 'frames.sent.jsonl',
  packets: 'packets.jsonl',
  controller: 'controller.jsonl',
  probes: 'probes.jsonl',
  roundTrips: 'rtt.jsonl',
  video: videoFileName,
  voice: 'voice.sent.jsonl',
  voiceClip: 'voice.clip.jsonl',
};
