/** Reads what happened at the bottlenecks of a measured trial from its queue log (analysis/course.ts). */

import { ownRowOf } from '../../../core/vocabulary/hops.ts';
import { icmpProtocol } from '../../../core/vocabulary/icmp.ts';
import { senderEstimates } from '../../analysis/derive/sender-estimates.ts';
import type { Application } from '../../definition/applications.ts';
import { type QueueDelayRecord, queueDelaySeries } from '../../record/series/queue-delay.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { type Course, courseBottlenecks, type Flow, without } from './analysis/course.ts';

/** Length of a bin of the series of queue delays, ms. */
const binMs = 100;

/** Priority of each media flow, and the highest rate of each application, bit/s, by name. Null: what it gets. */
type Facts = { media: Readonly<Record<string, number>>; demands: Readonly<Record<string, number | null>> };

/** Values of one bin of a flow. */
type Bin = { bits: number; sentPackets: number; droppedPackets: number; delayMs: number | null; mostBytes: number };

function binsOf(lines: readonly QueueDelayRecord[], startMs: number, count: number): Bin[] {
  const bins = Array.from(
    { length: count },
    (): Bin => ({
      bits: 0,
      sentPackets: 0,
      droppedPackets: 0,
      delayMs: null,
      mostBytes: 0,
    }),
  );
  for (const { timeMs, sentBytes, sentPackets, droppedPackets, delayMedianMs } of lines) {
    const bin = bins[Math.floor((timeMs - startMs) / binMs)];
    if (bin === undefined) continue;
    bin.bits += 8 * sentBytes;
    bin.sentPackets += sentPackets;
    bin.droppedPackets += droppedPackets.overflow + droppedPackets.aqm + droppedPackets.other;
    // the delay of a flow is that of the protocol with most of its bytes
    if (sentBytes >= bin.mostBytes && delayMedianMs !== null)
      Object.assign(bin, { delayMs: delayMedianMs, mostBytes: sentBytes });
  }
  return bins;
}

/** Returns the last estimate of each bin, bit/s; null for a bin without one. */
async function estimatesOf(record: TrialRecord, startMs: number, count: number): Promise<(number | null)[]> {
  const bins = new Array<number | null>(count).fill(null);
  for (const { timeMs, estimateBps } of await senderEstimates(record)) {
    const bin = Math.floor((timeMs - startMs) / binMs);
    if (bin >= 0 && bin < count) bins[bin] = estimateBps;
  }
  return bins;
}

/** Returns the course of a trial. An application that is not among the media is traffic beside them. */
export async function readCourse(record: TrialRecord, { media, demands }: Facts): Promise<Course> {
  const { windowStartMs, windowEndMs } = record.file.phases!;
  const lines = (await record.read(queueDelaySeries)).filter(({ protocol }) => protocol !== icmpProtocol);
  const count = Math.ceil((windowEndMs - windowStartMs) / binMs);
  const flowsOf = async (one: Application): Promise<Flow[]> => {
    const { name, direction, pauses = [] } = one;
    const as = record.as(name);
    const { startMs, endMs } = as.window;
    const isMedia = Object.hasOwn(media, name);
    const span = { fromMs: startMs - windowStartMs, toMs: endMs - windowStartMs };
    const estimateBps = isMedia ? await estimatesOf(as, windowStartMs, count) : [];
    return ownRowOf(record.link, one).map(({ hop: place }) => {
      const own = lines.filter(
        ({ application, direction: of = 'down', hop = 1 }) => application === name && of === direction && hop === place,
      );
      const bins = binsOf(own, windowStartMs, count);
      return {
        name,
        hop: place,
        isMedia,
        direction,
        weight: media[name] ?? 1,
        demandBps: demands[name] ?? Infinity,
        active: without(span, pauses),
        bits: bins.map(({ bits }) => bits),
        sentPackets: bins.map(({ sentPackets }) => sentPackets),
        droppedPackets: bins.map(({ droppedPackets }) => droppedPackets),
        delayMs: bins.map(({ delayMs }) => delayMs),
        estimateBps,
      };
    });
  };
  const flows = await Promise.all(record.file.condition.applications.map(flowsOf));
  return {
    windowMs: windowEndMs - windowStartMs,
    binMs,
    flows: flows.flat(),
    bottlenecks: courseBottlenecks(record.link),
  };
}
