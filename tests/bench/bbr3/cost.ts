/** What an acknowledgment costs, and how fast one flow can be. */
import { readFileSync, writeFileSync } from 'node:fs';
import { registeredBbr3 } from '../../../shaper/bbr3/loader.ts';
import { mbit, percent, type Verdict } from './check.ts';
import { runFlow } from './flow.ts';
import { type BenchNetwork, benchLink, ceilingBps } from './network.ts';

const statistics = '/proc/sys/kernel/bpf_stats_enabled';

/**
 * With the kernel's own clock round every run of the program, which is turned on for this and costs some 30 ns itself.
 */
export async function judgeCost(network: BenchNetwork): Promise<{ id: string; title: string } & Verdict> {
  const link = benchLink(200e6, 20, 1000);
  const before = readFileSync(statistics, 'utf8');
  try {
    writeFileSync(statistics, '1');
    const start = (await registeredBbr3())!;
    const bbr3 = await runFlow(network, link, 'bbr3', { seconds: 10 });
    const end = (await registeredBbr3())!;
    const bbr = await runFlow(network, link, 'bbr', { seconds: 10 });
    const ns = (end.runTimeNs - start.runTimeNs) / (end.runs - start.runs);
    return {
      id: 'cost',
      title: 'one flow of 200 Mbit/s, with telemetry',
      measured: `${Math.round(ns)} ns an acknowledgment; ${mbit(bbr3.goodputBps)}, ${percent(bbr3.goodputBps / ceilingBps(link))}`,
      beside: `${mbit(bbr.goodputBps)}, ${percent(bbr.goodputBps / ceilingBps(link))}`,
      wanted: 'at most 1000 ns; over 90 % of the ceiling or of v1',
      ok: ns <= 1000 && bbr3.goodputBps > 0.9 * Math.min(ceilingBps(link), bbr.goodputBps),
    };
  } finally {
    writeFileSync(statistics, before);
  }
}
