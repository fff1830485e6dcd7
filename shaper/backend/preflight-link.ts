/** A link in the form that preflight uses (shaper/calibrate), for all backends. */
import { kernelParts } from '../../core/vocabulary/backends.ts';
import {
  type BackendId,
  type Direction,
  fullFrameBytes,
  inDirection,
  type Link,
  meanLossRatio,
  overheadBytes,
  pathOf,
  withoutChance,
} from '../../core/vocabulary/link.ts';
import { type LinkTrace, playOf } from '../../core/vocabulary/link-trace.ts';
import { udpProtocol } from '../../core/vocabulary/udp.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { AskedLoss, PreflightLink, PreflightPath, PreflightTrace } from '../calibrate/link.ts';
import { opportunityBytes, shellStepMs, tunHeaderBytes } from '../mahimahi/steady-trace.ts';
import { predictedLosses } from '../tc/loss.ts';
import { shapers } from '../tc/shapers.ts';
import type { Topology } from '../topology/topology.ts';
import { loadTrace, startMsOf } from '../traces/load.ts';
import { departuresMs, lossAt } from '../traces/model.ts';
import type { ShapedLink } from './shaped-link.ts';

/**
 * Returns the link for preflight. `paths` of the result expect the delays that `shapedLink` has settled. Only the first
 * host on the right is included: the others differ only in the last hop.
 */
export function preflightLink(
  shapedLink: ShapedLink,
  link: Link,
  backend: BackendId,
  seed: number,
  { left, right }: Pick<Topology, 'left' | 'right'>,
  direction: Direction = 'down',
): PreflightLink {
  // keeps the backend, since another may be chosen without randomness
  const still: Link = { ...withoutChance(link), backend };
  const own = inDirection(link, direction);
  const limit = aqmLimit(own);
  const isFifo = own.aqm.id === 'fifo';
  const aqm = shapedLink.aqm(own.aqm);
  // the emulator counts in the limit's unit, the kernel's disciplines count packets only
  const countsBytes = backend === 'emulator' && limit.unit === 'bytes';
  const { loss } = own;
  const isShell = backend === 'mahimahi';
  const isOutside = backend === 'outside';
  // mm-link counts in bytes of its own, and none of the seed's losses; full packets have the rate of the link
  const overhead = isShell ? tunHeaderBytes : overheadBytes[link.bytes];
  const inItsBytes = isShell ? opportunityBytes / fullFrameBytes(link) : 1;
  const rateBps = own.rateBps * inItsBytes;
  // adds the serialisation time at the other direction's bottleneck
  const otherOwnBps = direction === 'up' ? link.rateBps : link.up?.rateBps;
  const otherRateBps = otherOwnBps === undefined ? undefined : otherOwnBps * inItsBytes;
  const other = otherRateBps === undefined ? {} : { otherRateBps };
  const settled = shapedLink.pathsOf(link, backend);
  const [to] = right;
  const asked = (source: string, destination: string): AskedLoss | null =>
    loss === null
      ? null
      : {
          lossRatio: meanLossRatio(loss),
          independent: loss.kind === 'independent',
          predicted: isShell
            ? null
            : packets => predictedLosses(seed, loss, { source, destination, protocol: udpProtocol }, packets),
        };
  const paths = left.flatMap(({ host: { name }, address }): PreflightPath[] => {
    const { downMs, upMs } = pathOf(settled, name);
    const client = to!.host.name;
    const down = { from: name, to: client, delayMs: downMs };
    const up = { from: client, to: name, delayMs: upMs };
    if (direction === 'up')
      return [
        { ...up, shaped: true, loss: asked(to!.address, address) },
        { ...down, shaped: false, loss: null, ...other },
      ];
    return [
      { ...down, shaped: true, loss: asked(address, to!.address) },
      { ...up, shaped: false, loss: null, ...other },
    ];
  });
  return {
    ...(link.up === null ? {} : { direction }),
    rateBps,
    overheadBytes: overhead,
    limitPackets: isFifo && !isOutside && limit.unit === 'packets' ? limit.packets : null,
    limitBytes: isFifo && !isOutside && limit.unit === 'bytes' ? Math.round(limit.bytes * inItsBytes) : null,
    discipline: {
      title: aqm.title,
      // the AQMs of mm-link differ from their RFCs
      law: isOutside || (isShell && !isFifo) ? null : aqm.law(fullFrameBytes(own)),
      roomPackets: isFifo || countsBytes ? null : aqm.holds(limit),
      roomBytes: !isFifo && countsBytes ? limit.bytes : null,
    },
    ...(own.trace === null
      ? {}
      : {
          trace: preflightTrace(shapedLink, still, { trace: own.trace, direction, seed, delayMs: paths[0]!.delayMs }),
        }),
    bucketBytes: bucketBytesOf(backend, rateBps),
    ...(isShell || isOutside ? { stepMs: shellStepMs } : {}),
    ...(isOutside ? { isTold: true } : {}),
    paths,
    counters: async () => {
      const { up, loss: lost, ...down } = await shapedLink.counters();
      return { ...(direction === 'down' ? down : up!), loss: lost };
    },
    reset: async mode =>
      void (await shapedLink.set(
        mode === 'bare' ? still : direction === 'down' ? { ...still, loss } : { ...still, up: { ...still.up!, loss } },
        seed,
      )),
  };
}

/** Returns the bytes that may leave at once after an idle time. */
function bucketBytesOf(backend: BackendId, rateBps: number): number {
  if (backend === 'emulator') return 0;
  // packets of one tick, and the one for which an idle mm-link has an opportunity at once
  if (backend === 'mahimahi' || backend === 'outside') return (rateBps * shellStepMs) / 8000 + opportunityBytes;
  return shapers[kernelParts(backend).shaper].bucketBytes(rateBps);
}

/** Queue of a link whose trace is probed: it holds all probes. */
const wide = {
  queue: { unit: 'packets', value: 30_000 },
  aqm: { id: 'fifo', title: 'FIFO', params: {} },
  ecn: false,
} as const;

/** Returns the trace of a direction for preflight. `still`: the link without it. `delayMs`: delay of the tried path. */
function preflightTrace(
  shapedLink: ShapedLink,
  still: Link,
  { trace, direction, seed, delayMs }: { trace: LinkTrace; direction: Direction; seed: number; delayMs: number },
): PreflightTrace {
  const loaded = loadTrace(trace, direction);
  const { times, loop, ...play } = playOf(trace);
  const played = { startMs: startMsOf(play, loaded, seed), times, loop };
  const { rateBps: ownBps } = direction === 'up' ? still.up! : still;
  const meanBps = loaded.opportunities?.facts.meanRateBps ?? loaded.table?.facts.rate?.meanBps;
  const link: Link =
    direction === 'up' ? { ...still, up: { ...still.up!, ...wide, trace } } : { ...still, ...wide, trace };
  return {
    meanBps: meanBps === undefined ? ownBps : meanBps * times,
    start: async () => {
      await shapedLink.set(link, seed);
      const startMs = await shapedLink.start();
      if (startMs === null) throw new Error('a backend that follows traces knows when they start');
      return startMs;
    },
    departuresMs: packets => departuresMs(loaded, played, { ownBps, delayMs }, packets),
    lossAt: atMs => lossAt(loaded, played, atMs),
  };
}
