/** Captures the headers of what leaves a device into a pcap file: starts shaper/native/capture on a host and ends it. */
import { fileURLToPath } from 'node:url';
import type { Host } from '../../harness/base/host.ts';
import { Recording } from './recording.ts';

export const captureProgram = fileURLToPath(new URL('../native/build/coexist-capture', import.meta.url));

export type CaptureEnd = {
  /** Packets in the file. */
  packets: number;
  /** Packets that found no room on their way to the file. */
  drops: number;
};

export class Capture {
  /** Rejects when it ends by itself: `disk-full` or `probe-died`. Never resolves. */
  readonly failed: Promise<never>;
  readonly #recording: Recording;

  private constructor(recording: Recording) {
    this.#recording = recording;
    this.failed = recording.failed;
  }

  /** Starts a capture; everything that leaves the device after this has resolved is in it. Throws `missing-kernel-feature` where it cannot. */
  static async start(host: Host, device: string, file: string): Promise<Capture> {
    return new Capture(await Recording.start(host, { name: 'the capture', argv: [captureProgram, device, file], needs: 'packet sockets (CAP_NET_RAW)' }));
  }

  /** Ends the capture. When this has resolved, the file is complete. Throws where it could not be written. */
  async stop(): Promise<CaptureEnd> {
    const { packets, drops } = await this.#recording.stop();
    return { packets: packets!, drops: drops! };
  }
}
