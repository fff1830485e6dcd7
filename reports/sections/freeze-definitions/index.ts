/** Section on stalls, freezes and pauses by each definition, and on the reasons why Chromium's counters differ. */

import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import { gapLimits } from '../../../core/vocabulary/measure.ts';
import { stallRule } from '../../../core/vocabulary/stalls.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Freeze } from '../../../harness/analysis/derive/freezes.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { disturbedCell, shownAs, shownRecords, shownTitle, shownValue } from '../../disturbed.ts';
import { formatInterval, formatMedian, formatValue } from '../../format.ts';
import { ownStallLimitWords, stallLimitWords } from '../../gap-words.ts';
import { type Html, html } from '../../html.ts';
import { overTrials, type ReportData, type ReportSection, trialCounts } from '../../report.ts';

/** True if the stall limit of all conditions is the one that the paper defines. */
const isPapers = ({ conditions, measure }: ReportData['plan']) =>
  conditions.every(condition => gapLimits(measure, subjectOf(condition).frameRate).stallMs === stallRule.leastMs);

type Row = { label: string; count: string; time: string };

const rowsOf = (plan: ReportData['plan']): Row[] => [
  {
    label: `${isPapers(plan) ? 'Stall (Juntima et al.)' : 'Stall'}: more than ${stallLimitWords(plan)} without a frame`,
    count: 'stall-count',
    time: 'stall-time',
  },
  { label: `This study: more than ${ownStallLimitWords(plan)}`, count: 'study-stall-count', time: 'study-stall-time' },
  {
    label: 'W3C freeze: at least max(3 d, d + 150 ms), d being the mean of the last 30 frame intervals',
    count: 'freeze-count',
    time: 'freeze-time',
  },
  { label: 'W3C pause: more than 5 s', count: 'pause-count', time: 'pause-time' },
  { label: "Freezes by Chromium's counter", count: 'chromium-freeze-count', time: 'chromium-freeze-time' },
  { label: "Pauses by Chromium's counter", count: 'chromium-pause-count', time: 'chromium-pause-time' },
];

function cell(own: ConditionSummary, { count, time }: Row): Html {
  const { metrics, disturbed } = own;
  if (disturbed !== null)
    return disturbedCell(`${formatValue(shownValue(own, count), '')}, ${formatValue(shownValue(own, time), 's')}`);
  const [times, seconds] = [metrics[count]!, metrics[time]!];
  if (times.value === null) return html`<td>\u2013</td>`;
  const said = (of: Estimate, unit: string) => `${formatMedian(of, unit)} ${formatInterval(of, unit)}`;
  return html`<td>${said(times, '')}<small>${said(seconds, 's')}</small></td>`;
}

type Account = { ours: Freeze[]; chromium: number };

/**
 * Returns the freezes of a trial by presentation times, and Chromium's count of freezes. Undefined if the record has no
 * such count.
 */
async function accountOf(record: TrialView): Promise<Account | undefined> {
  const [ours, chromium] = await Promise.all([record.freezes(), record.chromiumCount('freezeCount')]);
  return ours === undefined || chromium === null ? undefined : { ours, chromium };
}

function difference(accounts: readonly Account[]): string {
  const ours = accounts.flatMap(account => account.ours);
  const chromium = accounts.reduce((sum, account) => sum + account.chromium, 0);
  if (ours.length === 0 && chromium === 0) return "no freeze by presentation times and none by Chromium's counter.";
  const of = (why: Freeze['uncounted']) => ours.filter(({ uncounted }) => uncounted === why).length;
  const left = chromium - of(null);
  const reasons = [
    [of('own mean'), 'because its mean includes the freeze itself'],
    [of('under way'), 'because the freeze had not ended with the window'],
    [of('pause'), 'because it counts as a pause'],
  ] as const;
  const uncounted = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  const leftOut = uncounted.length === 0 ? '' : ` and leaves out ${uncounted.join(', ')}`;
  const apart =
    left === 0
      ? ''
      : `: ${Math.abs(left)} ${left > 0 ? 'more' : 'fewer'}; it judges the time of decoding, not of presentation, ` +
        'and its counters are read once a second';
  return (
    `${counted(ours.length, 'W3C freeze')} by presentation times in all trials; ` +
    `Chromium's rule counts ${of(null)} of them${leftOut}. Chromium reports ${chromium}${apart}.`
  );
}

async function explanations(report: ReportData): Promise<Html[]> {
  const all: Html[] = [];
  for (const { id } of report.plan.conditions) {
    const { label: title } = shownAs(report.summary, id);
    const accounts = (await overTrials(shownRecords(report, id), accountOf)).filter(account => account !== undefined);
    if (accounts.length > 0) all.push(html`<li><b>${title}</b>: ${difference(accounts)}</li>`);
  }
  return all;
}

export const plugin: ReportSection = {
  id: 'freeze-definitions',
  title: 'Stalls, freezes and pauses',
  source: 'W3C webrtc-stats; libwebrtc 2026-08 video/video_quality_observer2.cc; Juntima et al., section 3.2',
  params: object({}),
  order: 73,
  async render(report) {
    const { summary, plan } = report;
    if (summary.conditions.every(own => shownValue(own, 'freeze-count') === null)) return null;
    // A reader of a study that does not set the limit may not know the name of the setting.
    const thresholdSaid = plan.measure.stallMs == null ? ', the default; a study sets its own by measure.stall' : '';
    const unfinished = summary.conditions
      .filter(own => (shownValue(own, 'freeze-unfinished') ?? 0) > 0)
      .map(own => `${shownTitle(own)} ${formatValue(shownValue(own, 'freeze-unfinished'), 's')}`);
    const unfinishedSaid = unfinished.length === 0 ? '' : ` (median: ${unfinished.join(', ')})`;
    const rows = rowsOf(plan).map(row => {
      const cells = summary.conditions.map(condition => cell(condition, row));
      return html`<tr><th scope="row">${row.label}</th>${cells}</tr>`;
    });
    const why = await explanations(report);
    const below = html`<p>Chromium uses a different rule: its mean includes the interval being judged and is rounded
down to whole ms; a freeze counts once the next frame arrives; after 5 s it is a pause.</p>
<ul>${why}</ul>`;
    return html`<figure><div class="scroll"><table>
<thead><tr><th></th>${summary.conditions.map(own => html`<th scope="col">${shownTitle(own)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Number and, below, total time inside the window; medians over trials, brackets as in Table 1. All but
Chromium's counters are computed from presentation times. A gap that has not ended with the window counts up to the end
of the window${unfinishedSaid}. The threshold of this study is ${ownStallLimitWords(plan)}${thresholdSaid}.
${trialCounts(report)}.</figcaption></figure>
${why.length === 0 ? null : below}`;
  },
};
