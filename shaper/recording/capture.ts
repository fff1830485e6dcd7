/**
 * Captures the headers of the packets that leave a device into a pcap file: starts and ends shaper/native/capture on a
 * host.
 */
import { fileURLToPath } from 'node:url';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { Recording, type RecordingHost } from './recording.ts';

export const captureProgram = fileURLToPath(new URL('../native/build/coexist-capture', import.meta.url));

export const captureEnd = z.object({
  packets: z.int().min(0),
  /** Number of packets lost on their way to the file. */
  drops: z.int().min(0),
});

/** The members of a host that a capture uses. */
export type CaptureHost = RecordingHost & Pick<Host, 'give' | 'placeOf'>;

export type Capture = Recording<z.output<typeof captureEnd>>;

export const Capture = {
  /**
   * Starts a capture. From the moment when this resolves it contains every packet that leaves the device; with
   * `otherThanPort`, only UDP packets neither from nor to that port. Throws `missing-kernel-feature` if the capture is
   * not possible.
   */
  start: async (host: CaptureHost, device: string, file: string, otherThanPort?: number): Promise<Capture> =>
    Recording.start(host, {
      name: 'the capture',
      argv: [
        await host.give(captureProgram),
        device,
        host.placeOf(file),
        ...(otherThanPort === undefined ? [] : [String(otherThanPort)]),
      ],
      file,
      end: captureEnd,
      needs: 'packet sockets (CAP_NET_RAW)',
    }),
};
