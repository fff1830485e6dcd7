/** Section with the verdict of each sender on each case: a row for each sender, a column for each case. */
import { object } from '../../../../core/schema/schema.ts';
import { counted } from '../../../../core/text/counted.ts';
import type { CellSummary, ConformanceSummary } from '../../../../harness/studies/conformance/summary.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { anchorOf, type ConformanceReport, decisive, expectationWords, verdictHtml } from '../../data.ts';
import { spark } from '../../spark.ts';

/** Number of cases side by side. More do not fit a printed page. */
const columns = 5;

/** Returns the verdict in virtual time, if the case was run there. */
const virtualWords = ({ virtual }: CellSummary) =>
  virtual?.verdict == null ? '' : `; virtual time: ${virtual.verdict}`;

function cellHtml(cell: CellSummary | undefined, { summary, shown }: ConformanceReport): Html {
  if (cell === undefined) return html`<td></td>`;
  if (cell.notRun !== null) return html`<td><small>not run: ${cell.notRun}</small></td>`;
  if (cell.verdict === null)
    return html`<td><small>${cell.voided === 0 ? 'no trial yet' : `no valid trial of ${cell.voided}`}</small></td>`;
  const passed = cell.expectations.filter(({ verdict }) => verdict === 'passed').length;
  const why = decisive(cell);
  const trial = shown.get(cell.condition!);
  const { title } = summary.cases.find(({ id }) => id === cell.case)!;
  return html`<td class="${cell.verdict}"><a href="#${anchorOf(cell)}">${verdictHtml(cell.verdict)}
<small>${passed} of ${cell.expectations.length} passed, n = ${cell.trials}${virtualWords(cell)}</small>
${trial === undefined ? null : spark(trial.course, `Rates in a trial of ${title}`)}
${why === undefined ? null : html`<small>${expectationWords(why, summary)}</small>`}</a></td>`;
}

function table(cases: ConformanceSummary['cases'], report: ConformanceReport): Html {
  const { senders, cells } = report.summary;
  return html`<figure class="conformance"><table><thead><tr><th class="corner">Sender</th>
${cases.map(({ id, title }) => html`<th scope="col">${id}<small>${title}</small></th>`)}</tr></thead>
<tbody>${senders.map(
    ({ name, title }) => html`<tr><th scope="row">${title}</th>${cases.map(({ id }) =>
      cellHtml(
        cells.find(cell => cell.case === id && cell.sender === name),
        report,
      ),
    )}</tr>
`,
  )}</tbody></table></figure>`;
}

const caption =
  'Each cell: the verdict, the number of expectations that passed, the rates of all flows at the bottleneck in one trial ' +
  '(dashed: the capacity), and the expectation that is nearest to its bound or furthest beyond it. A cell leads to its trial.';

export const plugin: ReportSection<ConformanceReport> = {
  id: 'matrix',
  title: 'Verdicts',
  source: 'RFC 8867; RFC 8836',
  params: object({}),
  order: 10,
  render: report => {
    const run = report.summary.cases.filter(({ notRun }) => notRun === null);
    const left = report.summary.cases.filter(({ notRun }) => notRun !== null);
    const groups = Array.from({ length: Math.ceil(run.length / columns) }, (_, k) =>
      run.slice(k * columns, (k + 1) * columns),
    );
    return html`${groups.map(cases => table(cases, report))}<p class="note">${caption}</p>
${left.length === 0 ? null : html`<h3>Cases that are not run</h3><ul>${left.map(({ id, title, notRun }) => html`<li>${id}, ${title}: ${notRun}</li>`)}</ul>`}`;
  },
  lines: ({ summary }) =>
    summary.cells
      .filter(({ condition }) => condition !== null)
      .map(cell => {
        const why = decisive(cell);
        const words = why === undefined ? '' : `: ${expectationWords(why, summary)}`;
        const verdict = cell.verdict ?? 'no valid trial';
        return `${cell.case}, ${cell.sender}: ${verdict}${words} (${counted(cell.trials, 'trial')})`;
      }),
};
