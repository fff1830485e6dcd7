/**
 * Compares the data that all clients received from the link in the window with the data that their users got. If data
 * came by another way, the trial measured something else.
 */
import type { DeviceReading } from '../../core/system/network.ts';
import type { ApplicationFile, Finding } from '../record/trial-file.ts';

/** The part of an application run that is used here (application-run.ts). */
type Taker = { readonly takenBytes: number; readonly file: ApplicationFile };

/** Fewest bytes for a finding: packets in flight at an end of the window count on one side only. */
const leastBytes = 500_000;

/**
 * `takenBytes`: bytes that the application's user got in the window. `linkBytes`: bytes that reached its client's
 * device.
 */
export function otherWayFindings(name: string, takenBytes: number, linkBytes: number): Finding[] {
  if (takenBytes < leastBytes || linkBytes > takenBytes / 2) return [];
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    {
      kind: 'link',
      status: 'invalid',
      message: `${name} got ${inMegabytes(takenBytes)}, of which ${inMegabytes(linkBytes)} at most came over the link`,
    },
  ];
}

export class WindowReceived {
  readonly #read: () => Promise<DeviceReading[]>;
  readonly #applications: readonly Taker[];
  /** Bytes that each application had got when the window began, as it reports them. */
  #takenBefore: readonly number[] = [];

  /**
   * `read`: returns what the device of each application's client has received so far, in the order of the applications.
   */
  constructor(read: () => Promise<DeviceReading[]>, applications: readonly Taker[]) {
    this.#read = read;
    this.#applications = applications;
  }

  /** Reads the devices at an end of the window, and records the values with the applications. */
  async read(end: 'before' | 'after'): Promise<void> {
    const received = await this.#read();
    for (const [k, { file }] of this.#applications.entries()) {
      const now = received[k]!;
      file.received = { before: end === 'before' ? now : file.received!.before, after: now };
    }
    if (end === 'before') this.#takenBefore = this.#applications.map(({ takenBytes }) => takenBytes);
  }

  /** Findings about a window that has ended; called after its last readings. */
  findings(): Finding[] {
    return this.#applications.flatMap(({ takenBytes, file: { name, received } }, k) => {
      const { before, after } = received!;
      return otherWayFindings(name, takenBytes - this.#takenBefore[k]!, after.bytes - before.bytes);
    });
  }
}
