/**
 * What each controller does and what it costs, in virtual time: for every controller five minutes of video over a full
 * link, alone and beside a TCP flow, and over each of the 24 links of Drucker et al., Table I
 * (tests/sim/drucker-grid.ts).
 *
 *   npm run bench:controllers [-- REPEATS [CONTROLLER]]
 *
 * The limit is 2 s of processor time for any one flow. Exit status 3 where one takes longer.
 */
import { CoexistError } from '../../core/errors.ts';
import { loadPlugins } from '../../core/plugins.ts';
import { estimateCorrelation } from '../../core/stats/estimate-correlation.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { clipBps, clipMs, gridLinks, type Outcome, runGridLink } from '../sim/drucker-grid.ts';
import { runScenario } from '../sim/scenario.ts';
import { atMost, isReached, type Outcome as Measured, tableLine } from './shaper/row.ts';
import { runBench } from './support/bench.ts';

const limitS = 2;
const fullBps = 5e6;

const repeats = Number(process.argv[2] ?? 3);
const wanted = process.argv[3];

/** Processor time of a call, s. */
function costS(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** One line of the cost table; whether the limit was kept. */
function printCost(what: string, costsS: readonly number[]): boolean {
  const measured: Measured[] = costsS.map(value => ({ value, reached: value <= limitS }));
  process.stdout.write(
    `${tableLine(
      atMost(what, limitS, value => `${value.toFixed(2)} s`),
      measured,
      0,
    )}\n`,
  );
  return isReached(measured);
}

function gridLine({
  link,
  mediaBps,
  estimateBps,
  utilisation,
  medianQueueMs,
  highQueueMs,
  lossRatio,
}: Outcome): string {
  return [
    link.rttMs,
    link.rateBps / 1e6,
    link.buffer,
    (mediaBps / 1e3).toFixed(0),
    (estimateBps / 1e3).toFixed(0),
    (100 * utilisation).toFixed(0),
    medianQueueMs.toFixed(0),
    highQueueMs.toFixed(0),
    (100 * lossRatio).toFixed(1),
  ].join(' | ');
}

function printGrid(id: string, outcomes: readonly Outcome[]): void {
  process.stdout.write(`\n${id}, a clip of ${clipBps / 1e6} Mbit/s\n`);
  process.stdout.write(
    'rtt ms | link Mbit/s | buffer | media kbit/s | estimate kbit/s | utilisation % | queue median ms | queue p95 ms | lost %\n',
  );
  for (const outcome of outcomes) process.stdout.write(`${gridLine(outcome)}\n`);
  const { all, good, bad } = estimateCorrelation(
    outcomes.map(({ estimateBps, mediaBps }) => ({ estimateBps, bitrateBps: mediaBps })),
  );
  const text = (value: number | undefined) => value?.toFixed(2) ?? 'none';
  process.stdout.write(
    `correlation of estimate and bitrate: ${text(all)}; from 700 kbit/s on ${text(good)}, below ${text(bad)}\n`,
  );
}

await runBench(async () => {
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new CoexistError('usage', 'usage: npm run bench:controllers [-- REPEATS [CONTROLLER]]');
  const controllers = await loadPlugins<ControllerPlugin>(
    new URL('../../server/congestion/', import.meta.url),
    'controller',
  );
  const chosen = [...controllers].filter(([id]) => wanted === undefined || id === wanted);
  if (chosen.length === 0)
    throw new CoexistError('usage', `there is no controller "${wanted}"; known: ${[...controllers.keys()].join(', ')}`);
  const times = Array.from({ length: repeats }, (_, i) => i);
  const grids = new Map<string, readonly Outcome[]>();
  let reached = true;
  process.stdout.write('five minutes, processor time | must reach | measured median [range], n | ratio\n');
  for (const [id, plugin] of chosen) {
    const full = { durationMs: clipMs, link: fullBps };
    const shared = { ...full, tcp: [{ fromMs: 0, toMs: clipMs }] };
    reached =
      printCost(
        `${id}: a full link of 5 Mbit/s`,
        times.map(() => costS(() => runScenario(plugin, full))),
      ) && reached;
    reached =
      printCost(
        `${id}: the same beside a TCP flow`,
        times.map(() => costS(() => runScenario(plugin, shared))),
      ) && reached;
    const outcomes: Outcome[] = [];
    reached =
      printCost(
        `${id}: each of the 24 links`,
        gridLinks.map(link => costS(() => outcomes.push(runGridLink(plugin, link)))),
      ) && reached;
    grids.set(id, outcomes);
  }
  for (const [id, outcomes] of grids) printGrid(id, outcomes);
  return reached;
});
