/**
 * What the media sender costs: CPU of the server process at 720p60 and 6 Mbit/s with x264 ultrafast, on an idle link.
 *
 *   npm run bench:sender [-- REPEATS]
 *
 * The limit is 40 % of one core. Trials that the host disturbed are left out; median and range of the rest are printed.
 */
import { CoexistError } from '../../core/errors.ts';
import { ascending, median } from '../../core/stats/quantile.ts';
import { ownGoodputBps } from '../../harness/analysis/derive/rates.ts';
import { defineExperiment } from '../../harness/definition/define.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { runBench } from './support/bench.ts';
import { withStudy } from './support/run-study.ts';

const limitCores = 0.4;

const definition = defineExperiment({
  title: 'Cost of the media sender',
  question: 'What does the sender cost at 720p60 and 6 Mbit/s?',
  source: 'own',
  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: {
    id: 'live-clip',
    clip: 'high-motion',
    encoder: 'libx264',
    preset: 'ultrafast',
    maxBitrate: '6mbit',
    controller: { id: 'gcc' },
  },
  flood: { id: 'none' },
  run: { window: '20s', startUp: '5s', repeats: Number(process.argv[2] ?? 3) },
});

await runBench(() =>
  withStudy('bench-sender', definition, async folder => {
    const records = folder.trialNames().map(name => new TrialRecord(folder.trialFile(name), folder.trialFolder(name)));
    const cores = records.map(({ file: { cpuRatio }, application: { name } }) => {
      const own = cpuRatio?.[`${name} server`];
      if (own === undefined) throw new CoexistError('trials-failed', 'a trial does not say what the sender took');
      return own;
    });
    const goodputs = await Promise.all(records.map(ownGoodputBps));
    if (cores.length === 0)
      throw new CoexistError('trials-failed', 'the host disturbed every trial: there is no figure');
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
    const sorted = ascending(cores);
    process.stdout.write(
      `media server, 720p60, x264 ultrafast, ${(median(goodputs.map(Number))! / 1e6).toFixed(2)} Mbit/s: ` +
        `median ${percent(median(cores)!)} of a core [${percent(sorted[0]!)}, ${percent(sorted.at(-1)!)}], ` +
        `n = ${cores.length}; limit ${percent(limitCores)}; ratio ${(median(cores)! / limitCores).toFixed(2)}\n`,
    );
    return median(cores)! <= limitCores;
  }),
);
