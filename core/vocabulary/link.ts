/**
 * The link model: a bottleneck towards the client, one in the other direction where it is asked for, and the path of
 * each sender to them.
 *
 *   sender - duplicate - loss "before" - delay, jitter, reordering - bottleneck queue - loss "after" - client
 *   sender - - - - - - - - - - - - - - - - delay - loss "after" - [bottleneck queue - loss "before"] - - client
 *
 * The rate counts what `bytes` says: Ethernet frames without checksum (an IP packet of 1500 bytes as 1514), as
 * tc does, or IP packets, as mahimahi does; the two differ by 0.93 % for full packets.
 */

import { CoexistError } from '../errors.ts';
import { formatDuration, formatRate, formatRatio, type QueueLimit, trimmed } from '../text/units.ts';
import { type BackendId, describeBackend } from './backends.ts';

export type { BackendId };

/** Length of a full-sized IP packet, bytes, and of the TCP payload in it beside timestamps. */
const fullPacketBytes = 1500;
/** Rates that a bottleneck may have, bit/s; a trace has its mean between them. */
export const bottleneckRates = { min: 64e3, max: 10e9 } as const;
const fullSegmentBytes = 1448;

/** What each convention counts beside the IP packet, bytes. */
export const overheadBytes = { ethernet: 14, ip: 0 } as const;

/**
 * Which packets are lost; ratios are probabilities per packet, 0 to 1. `independent`: all alike. `gilbert-elliott`: two
 * states, good at first, each with its loss; after every packet the state changes with a probability.
 */
export type LossProcess =
  | { kind: 'independent'; ratio: number }
  | { kind: 'gilbert-elliott'; toBadRatio: number; toGoodRatio: number; badLossRatio: number; goodLossRatio: number };

/** `where`: before the queue, so that a lost packet takes no room in it, or after it. */
export type LossModel = LossProcess & { where: 'before' | 'after' };

/** The path of one sender to the bottleneck and back. */
export type Path = {
  /** One-way delay towards the client, before the queue, ms. */
  downMs: number;
  /** One-way delay of the return path, ms. */
  upMs: number;
  /**
   * Base round-trip time that the path is brought to, whatever delay it has itself, ms; the added delay of the return path
   * makes it up. Null: not normalised.
   */
  rttMs: number | null;
  /** Bound of the random delay on top, most of it near 0, without reordering (RFC 8868 section 4.5.2), ms. */
  jitterMs: number;
  /** Reordered packets: how many, and how much later they are sent. */
  reorder: { ratio: number; delayMs: number } | null;
  duplicateRatio: number;
};

/** From `atMs` after the window's start the rate goes to `rateBps`: at once, or linearly over `rampMs`. */
export type RateStep = { atMs: number; rateBps: number; rampMs: number };

/** What manages the queue, with its parameters. */
type Aqm = { id: string; title: string; params: unknown };

/** The bottleneck of one direction. */
export type Bottleneck = {
  /** bit/s, as the link counts bytes. */
  rateBps: number;
  queue: QueueLimit;
  aqm: Aqm;
  /** Marks packets of flows that can take it, where the AQM would drop them. */
  ecn: boolean;
  loss: LossModel | null;
  schedule: RateStep[];
  /** File of packet-delivery opportunities (mahimahi's format) that takes the place of the rate, or null. */
  trace: string | null;
};

/** Towards the client, and from it. */
export type Direction = 'down' | 'up';

/** Its own fields are those of the bottleneck towards the clients. */
export type Link = Bottleneck & {
  bytes: keyof typeof overheadBytes;
  /** The bottleneck from the clients; null: that direction has delays alone. */
  up: Bottleneck | null;
  /** By the name of the sender: of its host, or of its application. */
  paths: Readonly<Record<string, Path>>;
  /** What forms the link; `auto`: one that serialises, or one that no flow can tell from it. */
  backend: 'auto' | BackendId;
};

/** The path of that host. Throws where the link has none for it: its packets would not reach the bottleneck. */
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

/** Bytes that the link counts for a full-sized IP packet. */
export function fullFrameBytes({ bytes }: Pick<Link, 'bytes'>): number {
  return fullPacketBytes + overheadBytes[bytes];
}

/**
 * The most TCP payload that a link of that rate carries, in full segments, bit/s: what a flow's own estimate of the
 * bandwidth counts.
 */
export function payloadBps({ rateBps, bytes }: Pick<Link, 'rateBps' | 'bytes'>): number {
  return (rateBps * fullSegmentBytes) / fullFrameBytes({ bytes });
}

/** The base round-trip time of a path: the one that was asked for, or that of its delays, ms. */
export function baseRttOf({ rttMs, downMs, upMs }: Pick<Path, 'rttMs' | 'downMs' | 'upMs'>): number {
  return rttMs ?? downMs + upMs;
}

/** The longest base round-trip time of any sender, ms: the T of a bandwidth-delay product. */
export function baseRttMs({ paths }: Pick<Link, 'paths'>): number {
  return Math.max(...Object.values(paths).map(baseRttOf));
}

/**
 * The queue limit in all its forms, for full-sized packets: what a report prints. `bdp` is null where the link has no
 * delay, and `ms` and `bdp` where it follows a trace: how long so many bytes take on it, its rate does not say.
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

/** Rate for full-sized packets by both conventions, bit/s. */
export function rateForms(link: Pick<Link, 'rateBps' | 'bytes'>): { ethernetBps: number; ipBps: number } {
  const perIpBit = (own: keyof typeof overheadBytes) => (fullPacketBytes + overheadBytes[own]) / fullFrameBytes(link);
  return { ethernetBps: link.rateBps * perIpBit('ethernet'), ipBps: link.rateBps * perIpBit('ip') };
}

/** Share of packets that is lost in the long run, 0 to 1. */
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

/** What a path does to packets, in words. */
export function describePath({ downMs, upMs, rttMs, jitterMs, reorder, duplicateRatio }: Path): string {
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
  return words.length === 0 ? 'no added delay' : words.join(', ');
}

/** Paths that are alike are told together. */
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

/** Rate and queue: "40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms)". */
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
  const rate = link.trace === null ? formatRate(link.rateBps) : `trace ${link.trace.split('/').at(-1)}`;
  return [
    `${rate}${link.bytes === 'ip' ? ' (IP bytes)' : ''}${steps === '' ? '' : `, ${steps}`}`,
    `${link.aqm.title} ${limit}${link.ecn ? ' with ECN' : ''}`,
  ];
}

/**
 * "40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), no added delay, random loss 2 %, formed by tc, not serialising"; the
 * last where that is asked for, or known. The other direction in brackets: "(up: 1 Mbit/s, FIFO ..., no random loss)".
 */
export function describeLink(link: Link): string {
  return Object.values(linkWords(link))
    .filter(words => words !== '')
    .join(', ')
    .replace(', (up:', ' (up:');
}

/** The parts of that, by what they are of; empty where there is nothing to say. */
export function linkWords(link: Link): Record<'rate' | 'queue' | 'paths' | 'loss' | 'up' | 'backend', string> {
  const [rate, queue] = describeBottleneck(link);
  const hasUp = link.up != null; // records from before links had one lack it
  return {
    rate,
    queue,
    paths: describePaths(link.paths).join(', '),
    loss: describeLoss(link.loss),
    up: hasUp
      ? `(up: ${[...describeBottleneck(inDirection(link, 'up')), describeLoss(link.up!.loss)].join(', ')})`
      : '',
    backend: link.backend === 'auto' ? '' : `formed by ${describeBackend(link.backend)}`,
  };
}

/** The link as one of its bottlenecks has it. Throws where that direction has none. */
export function inDirection(link: Link, direction: Direction): Link {
  if (direction === 'down') return link;
  if (link.up === null) throw new Error('the link has no bottleneck from the clients');
  return { ...link, ...link.up };
}

/** The same link with nothing random, and at one rate: what is left can be measured. */
export function withoutChance(link: Link): Link {
  const still = (path: Path): Path => ({ ...path, jitterMs: 0, reorder: null, duplicateRatio: 0 });
  return {
    ...link,
    loss: null,
    schedule: [],
    up: link.up === null ? null : { ...link.up, loss: null, schedule: [] },
    paths: mapPaths(link.paths, still),
  };
}

/** A path without added delay. */
export const plainPath: Path = { downMs: 0, upMs: 0, rttMs: null, jitterMs: 0, reorder: null, duplicateRatio: 0 };

/** A link with nothing but a rate and a FIFO. */
export function plainLink(
  rateBps: number,
  queue: QueueLimit,
  senders: readonly string[] = ['server', 'flooder'],
): Link {
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
