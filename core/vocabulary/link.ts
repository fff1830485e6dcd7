/**
 * The link model: a bottleneck towards the client, an optional bottleneck in the other direction, and a path from each
 * sender to the bottleneck.
 *
 *   sender - duplicate - loss "before" - delay, jitter, reordering - bottleneck queue - loss "after" - client
 *   sender - - - - - - - - - - - - - - - - delay - loss "after" - [bottleneck queue - loss "before"] - - client
 *
 * `bytes` says which bytes of a packet the rate counts: the Ethernet frame without checksum, as tc does (an IP packet
 * of 1500 bytes counts 1514), or the IP packet, as mahimahi does. The two differ by 0.93 % for full packets.
 */

import { CoexistError } from '../errors.ts';
import { formatDuration, formatRate, formatRatio, type QueueLimit, trimmed } from '../text/units.ts';
import { type BackendId, describeBackend } from './backends.ts';
import type { Direction } from './direction.ts';
import { describeLinkTrace, type LinkTrace } from './link-trace.ts';

export type { BackendId, Direction };

/** Length of a full-sized IP packet, bytes. */
const fullPacketBytes = 1500;
/** Accepted rates of a bottleneck, bit/s. The mean rate of a trace must lie in the same range. */
export const bottleneckRates = { min: 64e3, max: 10e9 } as const;
/** TCP payload of a full-sized IP packet if TCP uses timestamps, bytes. */
const fullSegmentBytes = 1448;

/** Number of bytes that each value of `bytes` counts in addition to the IP packet. */
export const overheadBytes = { ethernet: 14, ip: 0 } as const;

/**
 * Random loss. The ratios are probabilities per packet, 0 to 1. `independent`: every packet has the same probability.
 * `gilbert-elliott`: a good and a bad state, each with a probability of loss; the process starts in the good state and
 * may change its state after every packet.
 */
export type LossProcess =
  | { kind: 'independent'; ratio: number }
  | { kind: 'gilbert-elliott'; toBadRatio: number; toGoodRatio: number; badLossRatio: number; goodLossRatio: number };

/**
 * Random loss and its place. `before`: before the queue, so that a lost packet takes no room in the queue. `after`:
 * after the queue.
 */
export type LossModel = LossProcess & { where: 'before' | 'after' };

/** Bottlenecks in a row from one place to another, both included, from 1 (hops.ts). */
export type HopSpan = { from: number; to: number };

/** Path between one sender and the bottleneck, in both directions. */
export type Path = {
  /** Delay of packets from the sender to the client, ms. It comes before the queue. */
  downMs: number;
  /** Delay of packets from the client to the sender, ms. */
  upMs: number;
  /**
   * Base round-trip time of the path, ms. If it is set, extra delay on the way back from the client makes up the
   * difference to `downMs` plus `upMs`. Null: no extra delay.
   */
  rttMs: number | null;
  /**
   * Maximum of the random delay that is added to packets, ms. Most random delays are near 0, and they do not reorder
   * packets (RFC 8868 section 4.5.2).
   */
  jitterMs: number;
  /**
   * Share of packets that are held back while others overtake them, and the time for which each is held back, ms. Null:
   * no reordering.
   */
  reorder: { ratio: number; delayMs: number } | null;
  duplicateRatio: number;
  /** Bottlenecks of the row that packets on the path cross. Missing: all. */
  crosses?: HopSpan;
};

/**
 * Change of the link's rate to `rateBps`. It starts `atMs` after the start of the window, and is complete at once or,
 * linearly, after `rampMs`.
 */
export type RateStep = { atMs: number; rateBps: number; rampMs: number };

type Aqm = { id: string; title: string; params: unknown };

/** Bottleneck in one direction of the link. */
export type Bottleneck = {
  /** Rate in bit/s. The field `bytes` of the link says which bytes of a packet count. */
  rateBps: number;
  queue: QueueLimit;
  aqm: Aqm;
  /** True if the AQM marks packets of ECN-capable flows instead of dropping them. */
  ecn: boolean;
  loss: LossModel | null;
  schedule: RateStep[];
  /** Trace that the link follows instead of constant values. Null: rate, schedule and loss apply. */
  trace: LinkTrace | null;
};

/** A further bottleneck in the row. Its fields beside `up` describe the direction towards the clients. */
export type FurtherHop = Bottleneck & { up: Bottleneck | null; backend: 'auto' | BackendId };

/** A link. The fields of `Bottleneck` describe the bottleneck towards the clients. */
export type Link = Bottleneck & {
  bytes: keyof typeof overheadBytes;
  /** Bottleneck in the direction from the clients. Null: this direction has delays only. */
  up: Bottleneck | null;
  /** Bottlenecks behind this one, in their order towards the clients. Missing if there are none (hops.ts). */
  further?: readonly FurtherHop[];
  /** Path of each sender, by the name of its host or of its application. */
  paths: Readonly<Record<string, Path>>;
  /**
   * Backend that forms the link. `auto`: a backend that serialises or, if this one cannot form the link, a backend
   * whose difference no flow can notice.
   */
  backend: 'auto' | BackendId;
};

/**
 * Returns the path of the host with this name. Throws `link-refused` if the link has no path for the host, because its
 * packets would not reach the bottleneck.
 */
export function pathOf<T>(paths: Readonly<Record<string, T>>, name: string): T {
  const path = paths[name];
  if (path === undefined)
    throw new CoexistError('link-refused', `the link has no path for the host "${name}"`, {
      hint: `give "${name}" a path; the link has those of ${Object.keys(paths).join(', ')}`,
    });
  return path;
}

export function mapPaths<T>(paths: Link['paths'], value: (path: Path, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, value(path, name)]));
}

/** Returns the number of bytes that the link counts for a full-sized IP packet. */
export function fullFrameBytes({ bytes }: Pick<Link, 'bytes'>): number {
  return fullPacketBytes + overheadBytes[bytes];
}

/**
 * Returns the rate of TCP payload at which full segments fill the link, bit/s. A flow's own bandwidth estimate counts
 * the same bytes, so it can be compared with this rate.
 */
export function payloadBps({ rateBps, bytes }: Pick<Link, 'rateBps' | 'bytes'>): number {
  return (rateBps * fullSegmentBytes) / fullFrameBytes({ bytes });
}

/**
 * Returns the base round-trip time of a path, ms: `rttMs` if it is set, otherwise the sum of the delays in both
 * directions.
 */
export function baseRttOf({ rttMs, downMs, upMs }: Pick<Path, 'rttMs' | 'downMs' | 'upMs'>): number {
  return rttMs ?? downMs + upMs;
}

/**
 * Returns the longest base round-trip time of all paths of the link, ms; 0 without paths. The bandwidth-delay product
 * is computed with it.
 */
export function baseRttMs({ paths }: Pick<Link, 'paths'>): number {
  return Math.max(0, ...Object.values(paths).map(baseRttOf));
}

/**
 * Returns the queue limit in all units, for full-sized packets, for a report. `bdp` is null if the link has no delay.
 * `ms` and `bdp` are null if the link follows a trace, since the rate in the link then does not give the time to drain
 * the queue.
 */
export function queueLimitForms(link: Pick<Link, 'queue' | 'rateBps' | 'bytes' | 'paths' | 'trace'>): {
  packets: number;
  bytes: number;
  ms: number | null;
  bdp: number | null;
} {
  const { unit, value } = link.queue;
  const bdpBytes = (link.rateBps * baseRttMs(link)) / 8000;
  const bytes =
    unit === 'packets'
      ? value * fullFrameBytes(link)
      : unit === 'bytes'
        ? value
        : unit === 'bdp'
          ? value * bdpBytes
          : (value * link.rateBps) / 8000;
  const isTrace = link.trace !== null;
  return {
    packets: bytes / fullFrameBytes(link),
    bytes,
    ms: isTrace ? null : (bytes * 8000) / link.rateBps,
    bdp: isTrace || bdpBytes === 0 ? null : bytes / bdpBytes,
  };
}

/** Returns the rate of the link for full-sized packets, bit/s: counted as Ethernet frames and counted as IP packets. */
export function rateForms(link: Pick<Link, 'rateBps' | 'bytes'>): { ethernetBps: number; ipBps: number } {
  const perIpBit = (own: keyof typeof overheadBytes) => (fullPacketBytes + overheadBytes[own]) / fullFrameBytes(link);
  return { ethernetBps: link.rateBps * perIpBit('ethernet'), ipBps: link.rateBps * perIpBit('ip') };
}

/** Returns the mean share of packets that are lost in the long term, 0 to 1. */
export function meanLossRatio(loss: LossModel | null): number {
  if (loss === null) return 0;
  if (loss.kind === 'independent') return loss.ratio;
  const bad = loss.toBadRatio / (loss.toBadRatio + loss.toGoodRatio);
  return bad * loss.badLossRatio + (1 - bad) * loss.goodLossRatio;
}

export function describeLoss(loss: LossModel | null): string {
  if (loss === null) return 'no random loss';
  const bursts = loss.kind === 'independent' ? '' : ' in bursts (Gilbert-Elliott)';
  const where = loss.where === 'before' ? '' : ' after the queue';
  return `random loss ${formatRatio(meanLossRatio(loss))}${bursts}${where}`;
}

const describeSpan = ({ from, to }: HopSpan): string =>
  from === to ? `crosses bottleneck ${from} only` : `crosses bottlenecks ${from} to ${to} only`;

export function describePath({ downMs, upMs, rttMs, jitterMs, reorder, duplicateRatio, crosses }: Path): string {
  const words = [
    ...(rttMs !== null
      ? [`base RTT ${formatDuration(rttMs)}`]
      : downMs + upMs > 0
        ? [`delay ${formatDuration(downMs)} down, ${formatDuration(upMs)} up`]
        : []),
    ...(jitterMs > 0 ? [`jitter up to ${formatDuration(jitterMs)}`] : []),
    ...(reorder === null ? [] : [`${formatRatio(reorder.ratio)} reordered by ${formatDuration(reorder.delayMs)}`]),
    ...(duplicateRatio > 0 ? [`${formatRatio(duplicateRatio)} duplicated`] : []),
  ];
  const delays = words.length === 0 ? 'no added delay' : words.join(', ');
  return crosses === undefined ? delays : `${delays}, ${describeSpan(crosses)}`;
}

/** Returns the paths in words. Senders with equal paths share one description. */
function describePaths(paths: Link['paths']): string[] {
  const names = new Map<string, string[]>();
  for (const [name, path] of Object.entries(paths)) {
    const words = describePath(path);
    names.set(words, [...(names.get(words) ?? []), name]);
  }
  if (names.size <= 1) return [...names.keys()];
  return [...names].map(
    ([words, of]) => `${of.length <= 4 ? of.join(', ') : `${of.length} applications (${of[0]} ...)`}: ${words}`,
  );
}

/** Returns the rate and the queue in words: "40 Mbit/s", "FIFO 1000 packets (1.51 MB, 303 ms)". */
function describeBottleneck(link: Link): [rate: string, queue: string] {
  const forms = queueLimitForms(link);
  const inBdp = link.queue.unit === 'bdp' && forms.bdp !== null ? `${trimmed(link.queue.value)} BDP, ` : '';
  const inTime = forms.ms === null ? '' : `, ${formatDuration(forms.ms)}`;
  const limit =
    link.queue.unit === 'packets'
      ? `${link.queue.value} packets (${trimmed(forms.bytes / 1e6)} MB${inTime})`
      : `${trimmed(forms.bytes / 1e3)} kB (${inBdp}${Math.round(forms.packets)} full packets${inTime})`;
  const steps = link.schedule
    .map(({ atMs, rateBps }) => `${formatRate(rateBps)} after ${formatDuration(atMs)}`)
    .join(', ');
  const rate = link.trace === null ? formatRate(link.rateBps) : describeLinkTrace(link.trace);
  return [
    `${rate}${link.bytes === 'ip' ? ' (IP bytes)' : ''}${steps === '' ? '' : `, ${steps}`}`,
    `${link.aqm.title} ${limit}${link.ecn ? ' with ECN' : ''}`,
  ];
}

/**
 * Returns the link in words: "40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), no added delay, random loss 2 %, formed
 * by tc, not serialising". The backend is left out if it is `auto`. The direction from the clients is in brackets:
 * "(up: 1 Mbit/s, FIFO ..., no random loss)".
 */
export function describeLink(link: Link): string {
  return joinWords(Object.values(linkWords(link)));
}

/** Returns a further bottleneck in words. */
function describeHop(link: Link, hop: FurtherHop): string {
  const { paths: _, ...words } = linkWords({ ...link, ...hop, further: [] });
  return joinWords(Object.values(words));
}

/** Joins the parts of `linkWords` that say something; those in brackets follow the part before them. */
export function joinWords(parts: readonly string[]): string {
  return parts
    .filter(words => words !== '')
    .join(', ')
    .replaceAll(/, \((up|then):/g, ' ($1:');
}

/** Returns the parts of `describeLink` by topic. A part is empty if the link has nothing to say about its topic. */
export function linkWords(
  link: Link,
): Record<'rate' | 'queue' | 'paths' | 'loss' | 'up' | 'further' | 'backend', string> {
  const [rate, queue] = describeBottleneck(link);
  const hasUp = link.up != null; // records of old versions have no field `up`
  return {
    rate,
    queue,
    paths: describePaths(link.paths).join(', '),
    loss: describeLoss(link.loss),
    up: hasUp
      ? `(up: ${[...describeBottleneck(inDirection(link, 'up')), describeLoss(link.up!.loss)].join(', ')})`
      : '',
    further: (link.further ?? []).map(hop => `(then: ${describeHop(link, hop)})`).join(' '),
    backend: link.backend === 'auto' ? '' : `formed by ${describeBackend(link.backend)}`,
  };
}

/**
 * Returns a copy of the link whose own fields describe the bottleneck of `direction`. Throws if the link has no
 * bottleneck in that direction.
 */
export function inDirection(link: Link, direction: Direction): Link {
  if (direction === 'down') return link;
  if (link.up === null) throw new Error('the link has no bottleneck from the clients');
  return { ...link, ...link.up };
}

/**
 * Returns a copy of the link without random effects, with a constant rate and without a trace, for measurements of the
 * link.
 */
export function withoutChance(link: Link): Link {
  const still = (path: Path): Path => ({ ...path, jitterMs: 0, reorder: null, duplicateRatio: 0 });
  const constant = { loss: null, schedule: [], trace: null };
  const both = <T extends Pick<Link, 'up'>>(one: T) => ({
    ...one,
    ...constant,
    up: one.up === null ? null : { ...one.up, ...constant },
  });
  const { further, ...first } = link;
  return {
    ...both(first),
    ...(further === undefined ? {} : { further: further.map(both) }),
    paths: mapPaths(link.paths, still),
  };
}

export const plainPath: Path = { downMs: 0, upMs: 0, rttMs: null, jitterMs: 0, reorder: null, duplicateRatio: 0 };

/** Returns a link that has only a rate and a FIFO. */
export function plainLink(rateBps: number, queue: QueueLimit, senders: readonly string[] = ['server', 'other']): Link {
  return {
    rateBps,
    bytes: 'ethernet',
    queue,
    aqm: { id: 'fifo', title: 'FIFO', params: {} },
    ecn: false,
    loss: null,
    schedule: [],
    trace: null,
    up: null,
    paths: Object.fromEntries(senders.map(name => [name, plainPath])),
    backend: 'auto',
  };
}
