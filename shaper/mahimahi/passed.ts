/** Counts of the packets that go into shells and come out of them in one direction, from their TUN devices. */
import type { Namespace } from './namespace.ts';

/** A TUN device and its namespace. */
export type TunEnd = { namespace: Namespace; tun: string };

type Passed = {
  /** Packets that the first program read, and those that the last program wrote, with the bytes of the IP packets. */
  inPackets: number;
  inBytes: number;
  outPackets: number;
  outBytes: number;
  /** Packets that the kernel dropped because the first program did not read them in time. */
  unreadPackets: number;
};

export class PassedCounts {
  readonly #from: TunEnd;
  readonly #to: TunEnd;
  readonly #before: Passed;

  private constructor(from: TunEnd, to: TunEnd, before: Passed) {
    this.#from = from;
    this.#to = to;
    this.#before = before;
  }

  /** Begins to count the packets from the first program's device to the device into which the last one writes. */
  static async begin(from: TunEnd, to: TunEnd): Promise<PassedCounts> {
    return new PassedCounts(from, to, await readBoth(from, to));
  }

  async read(): Promise<Passed> {
    const now = await readBoth(this.#from, this.#to);
    const since = (key: keyof Passed) => now[key] - this.#before[key];
    return {
      inPackets: since('inPackets'),
      inBytes: since('inBytes'),
      outPackets: since('outPackets'),
      outBytes: since('outBytes'),
      unreadPackets: since('unreadPackets'),
    };
  }
}

async function readBoth(from: TunEnd, to: TunEnd): Promise<Passed> {
  // what has come out had gone in before
  const out = await to.namespace.counters(to.tun);
  const into = await from.namespace.counters(from.tun);
  return {
    inPackets: into.tx.packets,
    inBytes: into.tx.bytes,
    outPackets: out.rx.packets,
    outBytes: out.rx.bytes,
    unreadPackets: into.tx.dropped ?? 0,
  };
}
