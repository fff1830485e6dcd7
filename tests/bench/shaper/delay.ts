/** What the delay line adds to each packet, beside processes that want every core, and what it costs. */
import { join } from 'node:path';
import { quantile } from '../../../core/stats/quantile.ts';
import { formatRate } from '../../../core/text/units.ts';
import { plainLink } from '../../../core/vocabulary/link.ts';
import { ProbeWakeUps, Receiver, sendProbes } from '../../../shaper/calibrate/probe.ts';
import { lineConfiguration } from '../../../shaper/emulator/configuration.ts';
import { LinkRedirect } from '../../../shaper/emulator/link-redirect.ts';
import type { Bench } from './bench.ts';
import { besideBusy } from './busy.ts';
import { atMost, type Beside, type Measurement } from './row.ts';

const delayMs = 25;
const seconds = 4;
const payloadBytes = 1472;
/** The link itself has room: no packet waits for another. */
const wideBps = 1e9;
const { paths } = plainLink(wideBps, { unit: 'packets', value: 1000 });
const delayed = { ...paths, server: { ...paths.server!, downMs: delayMs } };

/** One-way delays, ms, and the processor time that coexist-link took for them, of a core. */
type Flight = { delaysMs: number[]; costRatio: number; beside: Beside };

async function fly(bench: Bench, rateBps: number, line: boolean): Promise<Flight> {
  const {
    dumbbell: { hosts, addresses },
    bed: { scratch },
  } = bench;
  await bench.link(wideBps, 1000).reset('bare');
  const redirect = line ? await LinkRedirect.start(bench.dumbbell) : undefined;
  try {
    await redirect?.set(lineConfiguration(delayed, bench.dumbbell.left, 1));
    const receiver = await Receiver.start(hosts.client, join(scratch, 'probes'));
    const wakeUps = await ProbeWakeUps.start(hosts.router);
    const before = await redirect?.program.read();
    const sender = await sendProbes(hosts.server, addresses.client, receiver.port, {
      payloadBytes,
      rateBps,
      seconds,
      prefillPackets: 0,
      overheadBytes: 14,
    });
    const after = await redirect?.program.read();
    const beside: Beside = { senders: [sender], wakeUps: await wakeUps.finish() };
    const { arrivals } = await receiver.finish();
    return {
      delaysMs: arrivals.map(({ sentMs, receivedMs }) => receivedMs - sentMs),
      beside,
      costRatio: ((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)) / (sender.endMs - sender.startMs),
    };
  } finally {
    await redirect?.stop();
  }
}

const ms = (value: number) => `${value.toFixed(3)} ms`;
const limits = { p50Ms: 0.2, p99Ms: 1, costRatio: 0.15 };

export const delays: readonly Measurement[] = [40e6, 100e6].map(rateBps => ({
  rows: [
    atMost(
      `tc+line: delay of ${delayMs} ms at ${formatRate(rateBps)} beside two busy processes: error of the median`,
      limits.p50Ms,
      ms,
    ),
    atMost(
      `tc+line: delay of ${delayMs} ms at ${formatRate(rateBps)} beside two busy processes: error of the 99th percentile`,
      limits.p99Ms,
      ms,
    ),
  ],
  async measure(bench) {
    const bare = await fly(bench, rateBps, false);
    const { delaysMs, beside } = await besideBusy(bench.dumbbell.hosts.client, () => fly(bench, rateBps, true));
    const base = quantile(bare.delaysMs, 0.5)!;
    const [p50, p99] = [0.5, 0.99].map(p => Math.abs(quantile(delaysMs, p)! - base - delayMs)) as [number, number];
    return {
      outcomes: [
        { value: p50, reached: p50 <= limits.p50Ms },
        { value: p99, reached: p99 <= limits.p99Ms },
      ],
      beside: [beside],
    };
  },
}));

export const lineCost: Measurement = {
  rows: [
    atMost(
      'tc+line: processor time of the delay line at 40 Mbit/s, of a core',
      limits.costRatio,
      value => `${(value * 100).toFixed(1)} %`,
    ),
  ],
  async measure(bench) {
    const { costRatio, beside } = await fly(bench, 40e6, true);
    return { outcomes: [{ value: costRatio, reached: costRatio <= limits.costRatio }], beside: [beside] };
  },
};
