/**
 * Captures the headers of what leaves a device into a pcap file: starts shaper/native/capture on a host and ends it.
 */
import { fileURLToPath } from 'node:url';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { Recording } from './recording.ts';

export const captureProgram = fileURLToPath(new URL('../native/build/coexist-capture', import.meta.url));

export const captureEnd = z.object({
  /** Packets in the file. */
  packets: z.int().min(0),
  /** Packets that found no room on their way to the file. */
  drops: z.int().min(0),
});

export type Capture = Recording<z.output<typeof captureEnd>>;

export const Capture = {
  /**
   * Starts a capture; everything that leaves the device after this has resolved is in it, or with a port all UDP that is
   * neither from nor to it. Throws `missing-kernel-feature` where it cannot.
   */
  start: async (host: Host, device: string, file: string, otherThanPort?: number): Promise<Capture> =>
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
