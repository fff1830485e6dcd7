/**
 * The bottleneck: HTB with one class and a drop-tail FIFO on the router's device towards the client.
 *
 * `ceil` equals `rate`, so `cburst` alone decides how much leaves at line rate after idle: one
 * full frame. `burst` of two frames keeps the mean rate exact. tc counts Ethernet frames without checksum.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import { bottleneckDevice } from '../topology/dumbbell.ts';
import type { Host } from '../../harness/base/host.ts';
import { tcJson } from './json.ts';
import type { QdiscJson } from './json.ts';
import { attachLoss, readLoss } from './loss.ts';
import type { FlowCounters } from './loss.ts';

export type BottleneckSpec = {
  rateBps: number;
  queue: { unit: 'packets' | 'bytes' | 'ms'; value: number };
  /** Random loss before the queue, 0 to 1. */
  lossRatio: number;
};

/** Counters since the bottleneck was set. */
export type BottleneckCounters = {
  sentBytes: number;
  sentPackets: number;
  /** Tail drops of the FIFO. */
  droppedPackets: number;
  backlogBytes: number;
  backlogPackets: number;
  /** Random loss, per sender and protocol; empty where there is none. */
  loss: FlowCounters[];
};

/** Bytes of one frame that carries a full IP packet of 1500 bytes. */
const frameBytes = 1514;
/** Handles of the qdiscs, named once. */
const handles = { root: '1:', class: '1:10', fifo: '10:' } as const;

/** Bucket sizes in bytes: whole frames, and at least 100 us of the rate so that timers keep up on fast links. */
export function buckets(rateBps: number): { burstBytes: number; cburstBytes: number } {
  const timerBytes = Math.ceil(rateBps / 8 * 100e-6);
  return { burstBytes: Math.max(2 * frameBytes, timerBytes), cburstBytes: Math.max(1600, timerBytes) };
}

export class Bottleneck {
  readonly #router: Host;
  #lossMap: number | undefined;
  #spec: BottleneckSpec | undefined;

  constructor(router: Host) {
    this.#router = router;
  }

  /** Sets the link anew: empty queue, counters at zero, the loss generator at its start. */
  async set(spec: BottleneckSpec, seed: number): Promise<void> {
    const { burstBytes, cburstBytes } = buckets(spec.rateBps);
    const fifo = spec.queue.unit === 'packets' ? `pfifo limit ${Math.round(spec.queue.value)}`
      : `bfifo limit ${Math.round(spec.queue.unit === 'bytes' ? spec.queue.value : spec.queue.value * spec.rateBps / 8000)}`;
    const device = bottleneckDevice;
    await this.clear();
    await this.#router.run(['tc', '-batch', '-'], {
      input: [
        `qdisc add dev ${device} root handle ${handles.root} htb default 10`,
        `class add dev ${device} parent ${handles.root} classid ${handles.class} htb rate ${spec.rateBps}bit ceil ${spec.rateBps}bit `
          + `burst ${burstBytes} cburst ${cburstBytes} quantum ${frameBytes}`,
        `qdisc add dev ${device} parent ${handles.class} handle ${handles.fifo} ${fifo}`,
      ].join('\n'),
      code: 'missing-kernel-feature',
      hint: 'the bottleneck needs the kernel\'s htb and pfifo queue disciplines (sch_htb); "npm run doctor" tells more',
    });
    if (spec.lossRatio > 0) this.#lossMap = await attachLoss(this.#router, device, 'egress', { kind: 'independent', ratio: spec.lossRatio }, seed);
    this.#spec = spec;
  }

  async clear(): Promise<void> {
    const present = await tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', bottleneckDevice]);
    for (const { kind } of present.filter(q => q.kind === 'htb' || q.kind === 'clsact')) {
      await this.#router.run(['tc', 'qdisc', 'del', 'dev', bottleneckDevice, kind === 'htb' ? 'root' : 'clsact']);
    }
    this.#lossMap = undefined;
    this.#spec = undefined;
  }

  async counters(): Promise<BottleneckCounters> {
    const [qdiscs, loss] = await Promise.all([
      tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', bottleneckDevice]),
      this.#lossMap === undefined ? [] : readLoss(this.#router, this.#lossMap),
    ]);
    const fifo = qdiscs.find(q => q.handle === handles.fifo);
    if (fifo === undefined) throw new CoexistError('link-refused', 'the bottleneck queue is gone: somebody removed it during the trial');
    return {
      sentBytes: fifo.bytes ?? 0, sentPackets: fifo.packets ?? 0, droppedPackets: fifo.drops ?? 0,
      backlogBytes: fifo.backlog ?? 0, backlogPackets: fifo.qlen ?? 0, loss,
    };
  }

  /** Reads the kernel's own account of what was set; throws `link-refused` with the reading where it differs. */
  async verify(): Promise<void> {
    const spec = this.#spec;
    if (spec === undefined) throw new Error('verify: no link is set');
    const device = bottleneckDevice;
    const [qdiscs, classes, filters] = await Promise.all([
      tcJson<QdiscJson>(this.#router, ['qdisc', 'show', 'dev', device]),
      this.#router.run(['tc', 'class', 'show', 'dev', device]),
      this.#router.run(['tc', 'filter', 'show', 'dev', device, 'egress'], { allowFailure: true }),
    ]);
    const refuse = (what: string) => new CoexistError('link-refused', `the link is not what was asked for: ${what}`);
    const root = qdiscs.find(q => q.root === true);
    const fifo = qdiscs.find(q => q.handle === handles.fifo);
    if (root?.kind !== 'htb') throw refuse(`the root queue discipline of ${device} is ${root?.kind ?? 'missing'}, not htb`);
    const kind = spec.queue.unit === 'packets' ? 'pfifo' : 'bfifo';
    const limit = Math.round(spec.queue.unit === 'ms' ? spec.queue.value * spec.rateBps / 8000 : spec.queue.value);
    if (fifo?.kind !== kind || fifo.options?.limit !== limit) {
      throw refuse(`the queue is ${fifo === undefined ? 'missing' : `${fifo.kind} with limit ${fifo.options?.limit}`}, not ${kind} with ${limit}`);
    }
    const rateBps = parseTcRate(classes.stdout);
    if (rateBps === undefined || Math.abs(rateBps / spec.rateBps - 1) > 0.001) throw refuse(`the class has rate ${rateBps} bit/s, not ${spec.rateBps}`);
    if ((spec.lossRatio > 0) !== filters.stdout.includes('loss')) throw refuse(spec.lossRatio > 0 ? 'the loss classifier is missing' : 'a loss classifier is attached');
  }
}

/** The rate in the first HTB class that `tc class show` prints, bit/s; tc rounds it to three or so digits. */
export function parseTcRate(text: string): number | undefined {
  const match = /\brate (\d+(?:\.\d+)?)([KMGT]?)bit\b/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }[match[2] as '' | 'K' | 'M' | 'G' | 'T'];
}
