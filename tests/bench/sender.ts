/**
 * What the media sender costs: CPU of the server process at 720p60 and 6 Mbit/s with x264 ultrafast, on an idle link.
 *
 *   npm run bench:sender [-- REPEATS]
 *
 * The limit is 40 % of one core. Trials that the host disturbed are left out; median and range of the rest are printed.
 */
import { rmSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoexistError } from '../../harness/base/errors.ts';
import { findBrowser } from '../../harness/browser/find.ts';
import { defineExperiment } from '../../harness/experiment/define.ts';
import { makePlan } from '../../harness/experiment/plan.ts';
import { ProgressPrinter } from '../../harness/cli/progress.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { readVersions } from '../../harness/record/versions.ts';
import { mediaGoodputBps } from '../../harness/derive/rates.ts';
import { removeLeftovers } from '../../harness/runner/leftovers.ts';
import { loadRegistries } from '../../harness/runner/registries.ts';
import { checkStudy, runStudy } from '../../harness/runner/study.ts';
import { ascending, median } from '../../harness/stats/quantile.ts';

const limitCores = 0.4;

const definition = defineExperiment({
  title: 'Cost of the media sender', question: 'What does the sender cost at 720p60 and 6 Mbit/s?', source: 'own',
  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', encoder: 'libx264', preset: 'ultrafast', maxBitrate: '6mbit', controller: { id: 'gcc' } },
  flood: { id: 'none' },
  run: { window: '20s', startUp: '5s', repeats: Number(process.argv[2] ?? 3) },
});

const directory = mkdtempSync(join(tmpdir(), 'coexist-bench-'));
try {
  await removeLeftovers();
  const registries = await loadRegistries();
  const plan = makePlan('bench-sender', definition, registries);
  await checkStudy(plan, registries, false);
  const folder = RunFolder.create(join(directory, 'run'), { plan, versions: await readVersions(findBrowser()), createdMs: Date.now() });
  await runStudy({ plan, folder, registries, headed: false, signal: new AbortController().signal, progress: new ProgressPrinter(plan, process.stderr) });
  const records = folder.trialNames().map(name => new TrialRecord(folder.trialFile(name), folder.trialDirectory(name)));
  const cores = records.map(record => record.file.cpuRatio!['server']!);
  const goodputs = await Promise.all(records.map(mediaGoodputBps));
  if (cores.length === 0) throw new CoexistError('trials-failed', 'the host disturbed every trial: there is no figure');
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const sorted = ascending(cores);
  process.stdout.write(`media server, 720p60, x264 ultrafast, ${(median(goodputs.map(Number))! / 1e6).toFixed(2)} Mbit/s: `
    + `median ${percent(median(cores)!)} of a core [${percent(sorted[0]!)}, ${percent(sorted.at(-1)!)}], n = ${cores.length}; limit ${percent(limitCores)}; ratio ${(median(cores)! / limitCores).toFixed(2)}\n`);
  process.exitCode = median(cores)! <= limitCores ? 0 : 3;
} catch (error) {
  if (!(error instanceof CoexistError)) throw error;
  process.stderr.write(`${error.line}\n`);
  process.exitCode = error.exitStatus;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
