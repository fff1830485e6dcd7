/** Renders a run folder's report: reads the record and the summary, loads the sections, writes one file. */
import { messageOf } from '../core/errors.ts';
import type { Measure } from '../core/measure.ts';
import { loadPlugins } from '../core/plugins.ts';
import type { RunFolder } from '../harness/record/run-folder.ts';
import type { TrialRecord } from '../harness/record/trial-record.ts';
import type { JudgedClaim } from '../harness/gate/claims.ts';
import type { Outcome } from '../harness/gate/judge.ts';
import type { Summary } from '../harness/summary/summary.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ReportData, ReportSection } from './report.ts';
import { contents, renderPage } from './page/page.ts';
import { readTrialDetails } from './trial-details.ts';

function recordsByCondition(folder: RunFolder, measure: Measure): Map<string, TrialRecord[]> {
  const records = new Map<string, TrialRecord[]>();
  for (const name of folder.trialNames()) {
    const record = folder.record(name, measure);
    if (record.file.phases === null) continue;
    const id = record.file.condition.id;
    records.set(id, [...(records.get(id) ?? []), record]);
  }
  return records;
}

/** A section's content; a section that fails says so in its place, and the others go on. */
async function rendered(section: ReportSection, report: ReportData): Promise<Html | null> {
  try {
    return await section.render(report);
  } catch (error) {
    return html`<p class="note">This section failed: ${messageOf(error)}</p>`;
  }
}

/** The study's own title and question speak of the study as it is shipped. */
function changed(changes: readonly string[] | undefined): Html | null {
  return changes === undefined
    ? null
    : html`<p class="note">This run changed the study with --set: ${changes.join(', ')}. Title and question are those of the unchanged study.</p>`;
}

/** The report as HTML. */
export async function renderReport(
  folder: RunFolder,
  summary: Summary,
  { thresholds, claims }: { thresholds: readonly Outcome[]; claims: readonly JudgedClaim[] },
): Promise<string> {
  const { plan, versions, createdMs } = folder.planFile();
  const report: ReportData = {
    plan,
    versions,
    createdMs,
    summary,
    records: recordsByCondition(folder, plan.measure),
    details: await readTrialDetails(folder),
    outcomes: thresholds,
    claims,
  };
  const sections = [
    ...(await loadPlugins<ReportSection>(new URL('sections/', import.meta.url), 'report section')).values(),
  ].sort((a, b) => a.order - b.order);
  const shown: { id: string; title: string; content: Html }[] = [];
  for (const section of sections) {
    const content = await rendered(section, report);
    if (content !== null) shown.push({ id: section.id, title: section.title, content });
  }
  const [first, ...others] = shown.map(
    ({ id, title, content }) => html`<section id="${id}"><h2>${title}</h2>${content}</section>`,
  );
  // the answer comes before the list of what else there is
  const body = html`<header><h1>${plan.title}</h1><p class="question">${plan.question}</p>${changed(plan.changes)}
<p class="facts">${new Date(createdMs).toISOString().slice(0, 10)} \u00b7 Linux ${versions.kernel} \u00b7 ${versions.browser ?? 'no browser'} \u00b7 Coexist ${versions.coexist}</p></header>
<main id="report" tabindex="-1">${first}${contents(shown)}${others}</main>`;
  return renderPage(plan.title, body);
}
