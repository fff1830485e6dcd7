/** Data of a report's sections from trials in memory: no run folder is written, and no whole page is rendered. */
import { join } from 'node:path';
import type { Plan } from '../../../../harness/definition/plan.ts';
import type { RunRecords } from '../../../../harness/record/run-folder.ts';
import type { SeriesReader } from '../../../../harness/record/series-folder.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import { TrialRecord } from '../../../../harness/record/trial-record.ts';
import { reportData, summariseRun } from '../../../../harness/studies/conditions/finish.ts';
import { framed } from '../../../../reports/render.ts';
import type { ReportSection } from '../../../../reports/report.ts';
import { seriesFolder } from '../../harness/support/record.ts';
import { versions } from '../../harness/support/run-folder.ts';
import { type Made, madeTrials, type Rendered } from './run.ts';

/** Trials of a run, kept as text like files: each reading creates new objects. */
function inMemory(plan: Plan, made: readonly (Made | 'void')[]): RunRecords<Plan> {
  const files = new Map<string, TrialFile>();
  const texts = new Map<string, string>();
  for (const { file, series } of madeTrials(plan, made)) {
    const name = file.verdict.status === 'invalid' ? `${file.trial.id}.void${file.attempt}` : file.trial.id;
    files.set(name, file);
    // packets and similar series are read as columns, from files only
    if ('packets' in series) throw new Error('packets are read from files: use renderRun');
    const record = new TrialRecord(file, name);
    for (const [id, lines] of Object.entries(series))
      texts.set(join(seriesFolder(name, record, id), `${id}.jsonl`), JSON.stringify(lines));
  }
  const read: SeriesReader = async path => JSON.parse(texts.get(path) ?? '[]');
  return {
    planFile: () => ({ plan, versions, createdMs: Date.UTC(2026, 10, 20) }),
    trialNames: ({ voided = false } = {}) => [...files.keys()].filter(name => voided || !name.includes('.void')).sort(),
    record: (name, measure) => new TrialRecord(structuredClone(files.get(name)!), name, measure, undefined, read),
  };
}

/** Renders sections of the report of these trials, each as in the page. A section that fails fails the test. */
export async function renderSections(
  sections: readonly ReportSection[],
  plan: Plan,
  made: readonly (Made | 'void')[],
): Promise<Rendered> {
  const run = inMemory(plan, made);
  const summary = await summariseRun(run);
  const report = await reportData(run, summary);
  let page = '';
  for (const section of sections) {
    const content = await section.render(report);
    if (content !== null) page += framed(section, report, content, report.plan.source).text;
  }
  return { page, summary, plan, lines: sections.flatMap(section => section.lines?.(report) ?? []) };
}
