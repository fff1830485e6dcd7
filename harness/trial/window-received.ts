/**
 * Compares what all clients received from the link in the window with what their users got: if data came another way
 * than over the link, the trial measured something else.
 */
import type { DeviceReading } from '../../core/system/network.ts';
import type { ApplicationFile, Finding } from '../record/trial-file.ts';

/** As much of an application in a trial as is needed (application-run.ts). */
type Taker = { readonly takenBytes: number; readonly file: ApplicationFile };

/** Less says nothing: what was on its way at an end of the window counts on one side only. */
const leastBytes = 500_000;

/** `takenBytes`: what the user of an application got in the window; `linkBytes`: what came to its client's device. */
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
  /** What each application had got when the window began, bytes by its own account. */
  #takenBefore: readonly number[] = [];

  /** `read`: what the device of each application's client has taken so far, in their order. */
  constructor(read: () => Promise<DeviceReading[]>, applications: readonly Taker[]) {
    this.#read = read;
    this.#applications = applications;
  }

  /** At an end of the window, into the records of the applications. */
  async read(end: 'before' | 'after'): Promise<void> {
    const received = await this.#read();
    for (const [k, { file }] of this.#applications.entries()) {
      const now = received[k]!;
      file.received = { before: end === 'before' ? now : file.received!.before, after: now };
    }
    if (end === 'before') this.#takenBefore = this.#applications.map(({ takenBytes }) => takenBytes);
  }

  /** Of a window that has ended, once its last readings are made. */
  findings(): Finding[] {
    return this.#applications.flatMap(({ takenBytes, file: { name, received } }, k) => {
      const { before, after } = received!;
      return otherWayFindings(name, takenBytes - this.#takenBefore[k]!, after.bytes - before.bytes);
    });
  }
}
