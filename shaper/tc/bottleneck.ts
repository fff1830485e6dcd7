/**
 * The bottleneck in the kernel: HTB with one class, and the queue below it, on the router's device towards the client.
 *
 * `ceil` equals `rate`, so `cburst` alone decides how much leaves at line rate after idle: one
 * full frame. `burst` of two frames keeps the mean rate exact. tc counts Ethernet frames without checksum;
 * a size table takes the header off where the link counts IP packets.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import type { Host } from '../../harness/base/host.ts';
import { overheadBytes } from '../../harness/base/link.ts';
import type { Link } from '../../harness/base/link.ts';
import { bottleneckDevice } from '../topology/dumbbell.ts';
import { tcJson } from './json.ts';
import type { QdiscJson } from './json.ts';

/** Counters of the queue since it was set. */
export type QueueCounters = {
  sentBytes: number;
  sentPackets: number;
  /** Every drop: those of a full queue and those of the AQM. */
  droppedPackets: number;
  /** Marked instead of dropped; 0 where the queue does not say. */
  markedPackets: number;
  backlogBytes: number;
  backlogPackets: number;
};

/** The queue below the class, in the words of tc(8). */
export type Leaf = { kind: string; words: string };

/** Bytes of one frame that carries a full IP packet of 1500 bytes. */
const frameBytes = 1514;
/** Handles of the qdiscs, named once. */
const handles = { root: '1:', class: '1:10', leaf: '10:' } as const;

/** Bucket sizes in bytes: whole frames, and at least 100 us of the rate so that timers keep up on fast links. */
export function buckets(rateBps: number): { burstBytes: number; cburstBytes: number } {
  const timerBytes = Math.ceil(rateBps / 8 * 100e-6);
  return { burstBytes: Math.max(2 * frameBytes, timerBytes), cburstBytes: Math.max(1600, timerBytes) };
}

/** What follows "tc class add" or "tc class change". */
export function classWords(rateBps: number): string {
  const { burstBytes, cburstBytes } = buckets(rateBps);
  const rate = Math.round(rateBps);
  return `dev ${bottleneckDevice} parent ${handles.root} classid ${handles.class} htb rate ${rate}bit ceil ${rate}bit burst ${burstBytes} cburst ${cburstBytes} quantum ${frameBytes}`;
}

export class Bottleneck {
  readonly #router: Host;
  #set: { link: Pick<Link, 'rateBps' | 'bytes'>; leaf: Leaf } | undefined;

  constructor(router: Host) {
    this.#router = router;
  }

  /** Sets the bottleneck anew: empty queue, counters at zero. */
  async set(link: Pick<Link, 'rateBps' | 'bytes'>, leaf: Leaf): Promise<void> {
    await this.clear();
    const table = link.bytes === 'ethernet' ? '' : `stab overhead -${overheadBytes.ethernet} linklayer ethernet `;
    await this.#router.run(['tc', '-batch', '-'], {
      input: [
        `qdisc add dev ${bottleneckDevice} root handle ${handles.root} ${table}htb default 10`,
        `class add ${classWords(link.rateBps)}`,
        `qdisc add dev ${bottleneckDevice} parent ${handles.class} handle ${handles.leaf} ${leaf.kind} ${leaf.words}`,
      ].join('\n'),
      code: 'missing-kernel-feature',
      hint: `the bottleneck needs the kernel's queue disciplines htb and ${leaf.kind}; "npm run doctor" tells more`,
    });
    this.#set = { link, leaf };
  }

  /** Another rate and limit from now on; the queue keeps every packet, also where they are more than it takes from now on. */
  async change(link: Pick<Link, 'rateBps' | 'bytes'>, leaf: Leaf): Promise<void> {
    if (this.#set === undefined) throw new Error('change: no link is set');
    if (leaf.kind !== this.#set.leaf.kind) {
      throw new CoexistError('link-refused', `a ${this.#set.leaf.kind} queue cannot become a ${leaf.kind} while packets wait in it`, { hint: 'keep the unit of its limit' });
    }
    await this.#router.run(['tc', '-batch', '-'], {
      input: [
        `class change ${classWords(link.rateBps)}`,
        // fq_codel takes the number of its queues only once
        `qdisc change dev ${bottleneckDevice} parent ${handles.class} handle ${handles.leaf} ${leaf.kind} ${leaf.words.replace(/\bflows \d+ /, '')}`,
      ].join('\n'),
      code: 'link-refused',
    });
    this.#set = { link, leaf };
  }

  async clear(): Promise<void> {
    const present = await tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', bottleneckDevice]);
    if (present.some(q => q.kind === 'htb')) await this.#router.run(['tc', 'qdisc', 'del', 'dev', bottleneckDevice, 'root']);
    this.#set = undefined;
  }

  async counters(): Promise<QueueCounters> {
    const leaf = (await tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', bottleneckDevice])).find(q => q.handle === handles.leaf);
    if (leaf === undefined) throw new CoexistError('link-refused', 'the bottleneck queue is gone: somebody removed it during the trial');
    return {
      sentBytes: leaf.bytes ?? 0, sentPackets: leaf.packets ?? 0, droppedPackets: leaf.drops ?? 0, markedPackets: leaf.ecn_mark ?? 0,
      backlogBytes: leaf.backlog ?? 0, backlogPackets: leaf.qlen ?? 0,
    };
  }

  /** Reads the kernel's own account of what was set; throws `link-refused` with the reading where it differs. */
  async verify(): Promise<void> {
    if (this.#set === undefined) throw new Error('verify: no link is set');
    const { link, leaf } = this.#set;
    const [qdiscs, classes] = await Promise.all([
      tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', bottleneckDevice]),
      this.#router.run(['tc', 'class', 'show', 'dev', bottleneckDevice]),
    ]);
    const refuse = (what: string) => new CoexistError('link-refused', `the link is not what was asked for: ${what}`);
    const root = qdiscs.find(q => q.root === true);
    const found = qdiscs.find(q => q.handle === handles.leaf);
    if (root?.kind !== 'htb') throw refuse(`the root queue discipline of ${bottleneckDevice} is ${root?.kind ?? 'missing'}, not htb`);
    const limit = Number(/\blimit (\d+)/.exec(leaf.words)?.[1] ?? NaN);
    const limitDiffers = !Number.isNaN(limit) && found?.options?.limit !== limit;
    if (found?.kind !== leaf.kind || limitDiffers) {
      throw refuse(`the queue is ${found === undefined ? 'missing' : `${found.kind} with limit ${found.options?.limit}`}, not ${leaf.kind} with ${limit}`);
    }
    const rateBps = parseTcRate(classes.stdout);
    if (rateBps === undefined || Math.abs(rateBps / link.rateBps - 1) > 0.001) throw refuse(`the class has rate ${rateBps} bit/s, not ${link.rateBps}`);
  }
}

/** The rate in the first HTB class that `tc class show` prints, bit/s; tc rounds it to three or so digits. */
export function parseTcRate(text: string): number | undefined {
  const match = /\brate (\d+(?:\.\d+)?)([KMGT]?)bit\b/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }[match[2] as '' | 'K' | 'M' | 'G' | 'T'];
}
