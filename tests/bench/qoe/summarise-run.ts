/**
 * Summarises the run folder that is given, and prints what it took: time, processor time, peak of the resident memory,
 * and how many stalls it found.
 */
import { loadPlugins } from '../../../core/plugins.ts';
import type { MetricPlugin } from '../../../harness/analysis/metrics/metric.ts';
import { summarise } from '../../../harness/analysis/summary/summarise.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';

const metrics = await loadPlugins<MetricPlugin>(
  new URL('../../../harness/analysis/metrics/', import.meta.url),
  'metric',
);
const usedBefore = process.cpuUsage();
const before = performance.now();
const { trials } = await summarise(RunFolder.open(process.argv[2]!), [...metrics.values()]);
const seconds = (performance.now() - before) / 1000;
const { user, system } = process.cpuUsage(usedBefore);
const problems = trials.flatMap(trial => trial.problems);
if (problems.length > 0) throw new Error(problems.join('; '));
process.stdout.write(
  JSON.stringify({
    seconds,
    processorSeconds: (user + system) / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    stalls: trials[0]!.metrics!['stall-count'],
  }),
);
