/**
 * The rate changes under load, 40 -> 10 -> 40 Mbit/s, by `tc class change`: the first gap of the new rate, and packets
 * lost.
 */
import { join } from 'node:path';
import { sleep } from '../../../core/system/deadline.ts';
import type { Arrival } from '../../../shaper/calibrate/arrivals.ts';
import { slotMs } from '../../../shaper/calibrate/packets.ts';
import { monotonicMs, ProbeWakeUps, Receiver, sendProbes } from '../../../shaper/calibrate/probe.ts';
import { buckets } from '../../../shaper/tc/shapers.ts';
import { bottleneckDevice } from '../../../shaper/topology/legs.ts';
import type { Bench } from './bench.ts';
import { atMost, type Measurement, type Row } from './row.ts';

const [highBps, lowBps] = [40e6, 10e6];
const payloadBytes = 1472;
const overheadBytes = 14;
const phaseMs = 800;
/** Room for all that is offered and not carried. */
const limitPackets = 10_000;
/** Of the gap: what timers add is some hundredths of the shorter one. */
const gapTolerance = 0.1;

const gapMs = (rateBps: number) => slotMs({ rateBps, overheadBytes }, payloadBytes);

/** Changes the rate of the class; returns when that was called. */
async function change(bench: Bench, rateBps: number): Promise<number> {
  const { burstBytes, cburstBytes } = buckets(highBps);
  const calledMs = monotonicMs();
  await bench.dumbbell.hosts.router.run([
    'tc',
    'class',
    'change',
    'dev',
    bottleneckDevice,
    'parent',
    '1:',
    'classid',
    '1:10',
    'htb',
    'rate',
    `${rateBps}bit`,
    'ceil',
    `${rateBps}bit`,
    'burst',
    String(burstBytes),
    'cburst',
    String(cburstBytes),
    'quantum',
    '1514',
  ]);
  return calledMs;
}

/** The first gap after `fromMs` that is nearer to that of the new rate than to that of the old, ms. */
function firstNewGap(arrivals: readonly Arrival[], fromMs: number, oldBps: number, newBps: number): number | undefined {
  const isNew = (gap: number) => Math.abs(gap - gapMs(newBps)) < Math.abs(gap - gapMs(oldBps));
  return arrivals
    .slice(1)
    .flatMap(({ receivedMs }, i) => (arrivals[i]!.receivedMs >= fromMs ? [receivedMs - arrivals[i]!.receivedMs] : []))
    .find(isNew);
}

const gapRow = (from: number, to: number): Row => ({
  what: `tc: first gap after ${from / 1e6} -> ${to / 1e6} Mbit/s`,
  mustReach: `${(gapMs(to) * 1e3).toFixed(0)} us within ${gapTolerance * 100} %`,
  format: value => `${(value * 1e3).toFixed(0)} us`,
  ratio: median => median / gapMs(to),
});
const isRight = (gap: number, rateBps: number) => Math.abs(gap / gapMs(rateBps) - 1) <= gapTolerance;

export const capacityStep: Measurement = {
  rows: [gapRow(highBps, lowBps), gapRow(lowBps, highBps), atMost('tc: packets lost in both steps', 0, String)],
  async measure(bench) {
    await bench.link(highBps, limitPackets).reset('bare');
    const {
      dumbbell: { hosts, addresses },
      bed: { scratch },
    } = bench;
    const receiver = await Receiver.start(hosts.client, join(scratch, 'probes-step'));
    let wakeUps: ProbeWakeUps | undefined;
    try {
      wakeUps = await ProbeWakeUps.start(hosts.router);
      const sending = sendProbes(hosts.server, addresses.client, receiver.port, {
        payloadBytes,
        rateBps: 1.15 * highBps,
        seconds: (3 * phaseMs) / 1e3,
        prefillPackets: 50,
        overheadBytes,
      });
      const steps = (async () => {
        await sleep(phaseMs);
        const downMs = await change(bench, lowBps);
        await sleep(phaseMs);
        return { downMs, upMs: await change(bench, highBps) };
      })();
      const [report, { downMs, upMs }] = await Promise.all([sending, steps]);
      const { droppedPackets, backlogPackets } = await bench.shapedLink.counters();
      await sleep(backlogPackets * gapMs(highBps) * 1.2 + 100);
      const beside = [{ senders: [report], wakeUps: await wakeUps.finish() }];
      const { arrivals, kernelDropped } = await receiver.finish();
      const [down, up] = [firstNewGap(arrivals, downMs, highBps, lowBps), firstNewGap(arrivals, upMs, lowBps, highBps)];
      if (down === undefined || up === undefined || kernelDropped > 0) return { outcomes: null, beside };
      const lost = Math.max(report.sent - arrivals.length, droppedPackets);
      return {
        outcomes: [
          { value: down, reached: isRight(down, lowBps) },
          { value: up, reached: isRight(up, highBps) },
          { value: lost, reached: lost === 0 },
        ],
        beside,
      };
    } finally {
      await wakeUps?.stop();
      await receiver.stop();
    }
  },
};
