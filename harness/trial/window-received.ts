/**
 * Compares, within the window, the data that all clients received from the link with the data that their users got. If
 * data came by another way than the link, the trial is void.
 */
import type { DeviceReading } from '../../core/system/network.ts';
import type { ApplicationFile, Finding } from '../record/trial-file.ts';

/** The members of an application run that are used here (application-run.ts). */
type Taker = { readonly takenBytes: number; readonly file: ApplicationFile };

/**
 * Fewest bytes that a user must have got for a finding. Packets in flight at an end of the window count on one side
 * only.
 */
const leastBytes = 500_000;

/**
 * Returns a finding if at most half of the data came over the link. `takenBytes`: bytes that the application's user got
 * in the window. `linkBytes`: bytes that reached the device of the application's client in the window.
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
  /** Bytes that each application's user had got when the window began, as the service reports them. */
  #takenBefore: readonly number[] = [];

  /**
   * `read`: returns, for each application in the order of `applications`, how much the network device of its client has
   * received so far.
   */
  constructor(read: () => Promise<DeviceReading[]>, applications: readonly Taker[]) {
    this.#read = read;
    this.#applications = applications;
  }

  /** Reads the devices at one end of the window, and records the values with the applications. */
  async read(end: 'before' | 'after'): Promise<void> {
    const received = await this.#read();
    for (const [k, { file }] of this.#applications.entries()) {
      const now = received[k]!;
      file.received = { before: end === 'before' ? now : file.received!.before, after: now };
    }
    if (end === 'before') this.#takenBefore = this.#applications.map(({ takenBytes }) => takenBytes);
  }

  /** Returns findings about the window; called after its last readings. */
  findings(): Finding[] {
    return this.#applications.flatMap(({ takenBytes, file: { name, received } }, k) => {
      const { before, after } = received!;
      return otherWayFindings(name, takenBytes - this.#takenBefore[k]!, after.bytes - before.bytes);
    });
  }
}
