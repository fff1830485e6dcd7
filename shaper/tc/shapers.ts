/**
 * The kernel's shapers that can be the root of a bottleneck's device, in the words of tc(8).
 *
 * HTB: `ceil` equals `rate`, so `cburst` alone decides how much leaves at line rate after idle: one full frame, and a
 * second one on credit. `burst` of two frames keeps the mean rate exact. TBF: sends only what its bucket holds, so a
 * second full frame waits. With HTB and TBF the first frame does not wait. With netem's rate the first frame waits:
 * netem holds a packet for its serialisation time at that rate.
 */

import type { Host } from '../../core/system/host.ts';
import type { KernelShaper } from '../../core/vocabulary/backends.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Qdisc } from './json.ts';

/** The queue below the shaper, as a discipline and its parameters in the words of tc(8). */
export type Leaf = { kind: string; words: string };

/** Bytes of an Ethernet frame with a full IP packet of 1500 bytes. */
const frameBytes = 1514;
export const handles = { root: '1:', htbClass: '1:10', tbfChild: '1:1', leaf: '10:' } as const;

/**
 * Longest delay of the kernel's timers, s, at which TBF's bucket does not overflow; an overflow loses rate. Timers of a
 * busy machine with two cores are up to 0.2 ms late.
 */
const tbfTimerS = 200e-6;

/**
 * Returns the bucket sizes of HTB in bytes: whole frames, and at least 100 us of the rate so that timers keep up on
 * fast links.
 */
export function buckets(rateBps: number): { burstBytes: number; cburstBytes: number } {
  const timerBytes = Math.ceil((rateBps / 8) * 100e-6);
  return { burstBytes: Math.max(2 * frameBytes, timerBytes), cburstBytes: Math.max(1600, timerBytes) };
}

/**
 * Returns the bucket size of TBF, bytes. TBF drops packets that are larger than its bucket, and tc rounds the size
 * down.
 */
export function tbfBucketBytes(rateBps: number): number {
  return Math.max(1600, frameBytes + Math.ceil((rateBps / 8) * tbfTimerS));
}

type Shaper = {
  /** Words of a root discipline that every kernel with this shaper accepts. It is used to test for the shaper. */
  probe: string;
  /** Returns the number of bytes that may leave at line rate after an idle time. */
  bucketBytes(rateBps: number): number;
  /** Returns the features of a link that the shaper lacks, as text; empty if it has all of them. */
  lacks(link: Pick<Link, 'schedule'>, leaf: Leaf): string[];
  /**
   * Returns the lines for "tc -batch" that set the shaper and its queue on a device. `table`: words of a size table, or
   * empty.
   */
  set(device: string, rateBps: number, leaf: Leaf, table: string): string[];
  /** Returns the line for "tc -batch" that changes the rate; null if the rate cannot change while packets wait. */
  changeRate(device: string, rateBps: number, leaf: Leaf): string | null;
  /** Returns the line for "tc -batch" that changes the limit of the queue. */
  changeQueue(device: string, rateBps: number, leaf: Leaf): string;
  /** Returns the kernel's name of the discipline that holds the queue. */
  queueKind(leaf: Leaf): string;
  /** Returns the present rate in the kernel, bit/s; undefined if the kernel does not report a rate. */
  readRate(router: Host, device: string, root: Qdisc): Promise<number | undefined>;
};

export const limitOf = ({ words }: Leaf): number | undefined => {
  const match = /\blimit (\d+)/.exec(words);
  return match === null ? undefined : Number(match[1]);
};

const root = (device: string, handle: string) => `dev ${device} root handle ${handle}`;
const rateWord = (rateBps: number) => `${Math.round(rateBps)}bit`;
const leafAt = (device: string, parent: string, { kind, words }: Leaf) =>
  `dev ${device} parent ${parent} handle ${handles.leaf} ${kind} ${words}`;
// fq_codel accepts the number of its queues only once
const again = (leaf: Leaf): Leaf => ({ ...leaf, words: leaf.words.replace(/\bflows \d+ /, '') });

function htbClass(device: string, rateBps: number): string {
  const { burstBytes, cburstBytes } = buckets(rateBps);
  return (
    `dev ${device} parent ${handles.root} classid ${handles.htbClass} htb rate ${rateWord(rateBps)} ceil ` +
    `${rateWord(rateBps)} burst ${burstBytes} cburst ${cburstBytes} quantum ${frameBytes}`
  );
}

const htb: Shaper = {
  probe: 'htb default 10',
  bucketBytes: rateBps => buckets(rateBps).cburstBytes,
  lacks: () => [],
  set: (device, rateBps, leaf, table) => [
    `qdisc add ${root(device, handles.root)} ${table}htb default 10`,
    `class add ${htbClass(device, rateBps)}`,
    `qdisc add ${leafAt(device, handles.htbClass, leaf)}`,
  ],
  changeRate: (device, rateBps) => `class change ${htbClass(device, rateBps)}`,
  changeQueue: (device, _, leaf) => `qdisc change ${leafAt(device, handles.htbClass, again(leaf))}`,
  queueKind: leaf => leaf.kind,
  readRate: async (router, device) => parseTcRate((await router.run(['tc', 'class', 'show', 'dev', device])).stdout),
};

/**
 * Returns the words of TBF. `limit` is the limit of the leaf, because whenever TBF is set, the kernel gives TBF's limit
 * to a FIFO below it, in the unit of that FIFO.
 */
const tbfWords = (rateBps: number, leaf: Leaf) =>
  `tbf rate ${rateWord(rateBps)} burst ${tbfBucketBytes(rateBps)} limit ${limitOf(leaf) ?? frameBytes}`;

const tbf: Shaper = {
  probe: 'tbf rate 1mbit burst 1600 limit 1600',
  bucketBytes: tbfBucketBytes,
  lacks: () => [],
  set: (device, rateBps, leaf, table) => [
    `qdisc add ${root(device, handles.root)} ${table}${tbfWords(rateBps, leaf)}`,
    `qdisc add ${leafAt(device, handles.tbfChild, leaf)}`,
  ],
  // the bucket of TBF is full after each change
  changeRate: (device, rateBps, leaf) => `qdisc change ${root(device, handles.root)} ${tbfWords(rateBps, leaf)}`,
  changeQueue: (device, _, leaf) => `qdisc change ${leafAt(device, handles.tbfChild, again(leaf))}`,
  queueKind: leaf => leaf.kind,
  readRate: async (_router, _device, { options }) => bitsOf(options?.rate),
};

const netemWords = (rateBps: number, leaf: Leaf) => `netem rate ${rateWord(rateBps)} limit ${limitOf(leaf)}`;

/**
 * Shaper that contains its queue. netem sets a packet's departure time on arrival, so a new rate does not apply to
 * waiting packets.
 */
const netem: Shaper = {
  probe: 'netem rate 1mbit limit 10',
  bucketBytes: () => 0,
  lacks: ({ schedule }, leaf) => [
    ...(leaf.kind === 'pfifo' ? [] : [`netem has no ${leaf.kind}, only a FIFO limited in packets`]),
    ...(schedule.length === 0 ? [] : ['netem cannot change its rate while packets wait']),
  ],
  set: (device, rateBps, leaf, table) => [
    `qdisc add ${root(device, handles.leaf)} ${table}${netemWords(rateBps, leaf)}`,
  ],
  changeRate: () => null,
  changeQueue: (device, rateBps, leaf) => `qdisc change ${root(device, handles.leaf)} ${netemWords(rateBps, leaf)}`,
  queueKind: () => 'netem',
  readRate: async (_router, _device, { options }) => bitsOf(options?.rate),
};

export const shapers: Readonly<Record<KernelShaper, Shaper>> = { htb, tbf, netem };

/** Converts a rate of tc's JSON to bit/s. tc prints bytes per second, for netem within an object. */
function bitsOf(rate: NonNullable<Qdisc['options']>['rate']): number | undefined {
  return rate === undefined ? undefined : 8 * Number(typeof rate === 'object' ? rate.rate : rate);
}

/**
 * Returns the rate of the first HTB class that `tc class show` prints, bit/s; undefined if there is none. tc rounds the
 * rate to about three digits.
 */
export function parseTcRate(text: string): number | undefined {
  const match = /\brate (\d+(?:\.\d+)?)([KMGT]?)bit\b/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }[match[2] as '' | 'K' | 'M' | 'G' | 'T'];
}
