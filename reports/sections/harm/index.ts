/** Section with the stalled time of each condition relative to its baseline, for each pair of trials. */

import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import { pairsOf } from '../../../core/vocabulary/trial-pairs.ts';
import { dotChart } from '../../charts/dot-chart.ts';
import { html } from '../../html.ts';
import { conditionsNote, type ReportSection } from '../../report.ts';

const factorSaid =
  'The harm factor (Juntima et al.) is the stalled time divided by that of the baseline: 1 means no harm.';
const differenceSaid =
  'The harm factor (Juntima et al.) divides by the stalled time of the baseline. That is 0 s in at least one trial ' +
  'here, so the figure shows the difference: 0 means no harm.';

export const plugin: ReportSection = {
  id: 'harm',
  title: 'Harm',
  source: 'Juntima et al., Figure 7',
  params: object({}),
  order: 60,
  async render(report) {
    const { conditions, trials } = report.summary;
    const comparisons = report.summary.comparisons.filter(comparison => comparison.difference['stall-time']!.n > 0);
    if (comparisons.length === 0) return null;
    const factors = comparisons.every(comparison => comparison.factor['stall-time']!.value !== null);
    const groups = comparisons.map(comparison => {
      const value = factors ? comparison.factor['stall-time']! : comparison.tests['stall-time']!.shift;
      const of = { id: comparison.condition, baseline: comparison.baseline };
      const pairs = pairsOf(of, trials, 'stall-time').map(({ own, base }) => (factors ? own / base : own - base));
      const index = conditions.findIndex(condition => condition.id === comparison.condition);
      return {
        label: conditions[index]!.title,
        colour: index,
        values: pairs,
        median: value.value,
        low: value.low,
        high: value.high,
      };
    });
    const n = comparisons
      .map((comparison, i) => `${groups[i]!.label} n = ${counted(comparison.difference['stall-time']!.n, 'pair')}`)
      .join(', ');
    const chart = factors
      ? dotChart({ title: 'Harm factor: stalled time / baseline', unit: '', groups, width: 620, reference: 1 })
      : dotChart({
          title: 'Stalled time minus baseline',
          unit: 's',
          estimate: 'Hodges-Lehmann estimate',
          groups,
          width: 620,
        });
    const line = factors ? 'their median' : 'the Hodges-Lehmann estimate of the difference';
    return html`<figure>${chart}
<figcaption>${factors ? factorSaid : differenceSaid}
Circles: pairs of trials of one repeat; line: ${line}; bar: interval of that (range below six pairs). ${n}.
${conditionsNote(report)}</figcaption></figure>`;
  },
};
