/** The last step of every run: summary and report from the record. */
import { loadPlugins } from '../base/plugins.ts';
import type { MetricPlugin } from '../metrics/metric.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { summarise } from '../summary/summarise.ts';
import type { Summary } from '../summary/summary.ts';
import { renderReport } from '../../reports/render.ts';

export type Finished = { summary: Summary; summaryPath: string; reportPath: string };

/** Writes summary.json and report.html. */
export async function finishRun(folder: RunFolder): Promise<Finished> {
  const metrics = await loadPlugins<MetricPlugin>(new URL('../metrics/', import.meta.url), 'metric');
  const summary = await summarise(folder, [...metrics.values()]);
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  folder.writeText('report.html', await renderReport(folder, summary));
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html') };
}
