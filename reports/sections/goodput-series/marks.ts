/** Charts of a condition whose media had ECN: their packets by ECN field, and what waits in the queue. */
import { meanPerBin } from '../../../core/stats/binned.ts';
import { type EcnField, ecnFields } from '../../../core/vocabulary/ecn.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import { type ChartLine, type SeriesChart, seriesChart } from '../../charts/series-chart.ts';
import { trialLine } from '../../charts/trial-lines.ts';
import { type Html, html } from '../../html.ts';
import { overTrials } from '../../report.ts';

const names: Record<EcnField, string> = { 'not-ect': 'Not-ECT', ect1: 'ECT(1)', ect0: 'ECT(0)', ce: 'CE' };
/** Colours of the fields. The first two colours of the palette stand for the media and the other applications. */
const colours: Record<EcnField, number> = { 'not-ect': 2, ect1: 3, ect0: 4, ce: 5 };

export const marksCaption =
  'Below it, where packets had ECN: packets of the media that left the bottleneck per second, by ECN field (CE: a queue ' +
  'marked them), and the median time of packets in the bottleneck queue.';

type Marked = Pick<SeriesChart, 'x' | 'phases' | 'stops'> & {
  /** Title of the condition. */
  shown: string;
  isDisturbed: boolean;
  records: readonly TrialView[];
  binMs: number;
  /** Word for the other applications; null if there are none. */
  beside: string | null;
};

/** Returns the charts; null if no trial has a packet with ECT or CE. */
export async function marksCharts({
  shown,
  isDisturbed,
  records,
  binMs,
  beside,
  ...axis
}: Marked): Promise<Html | null> {
  const rates = (await overTrials(records, record => record.fieldRates(binMs))).filter(rate => rate !== null);
  if (rates.length === 0) return null;
  const fields = ecnFields.filter(field => rates.some(rate => rate[field].some(value => value > 0)));
  const fieldLines = fields.map(field =>
    trialLine(
      { label: names[field], isDisturbed },
      colours[field],
      rates.map(rate => rate[field]),
      true,
    ),
  );
  const delayLine = async (
    label: string,
    colour: number,
    delays: (view: TrialView) => ReturnType<TrialView['ownDelays']>,
  ) =>
    trialLine(
      { label, isDisturbed },
      colour,
      await overTrials(records, async record => meanPerBin(await delays(record), record.window, binMs)),
      true,
    );
  const delayLines = [
    await delayLine('media', 0, view => view.ownDelays()),
    ...(beside === null ? [] : [await delayLine(beside, 1, view => view.othersDelays())]),
  ];
  const chart = (title: string, unit: string, lines: ChartLine[]) =>
    seriesChart({ title: `${title}, ${shown}`, y: { label: unit, min: 0 }, lines, height: 190, ...axis });
  return html`${chart('ECN fields of the media over time', 'media packets/s', fieldLines)}${chart(
    'Queue delay over time',
    'ms in the queue',
    delayLines,
  )}`;
}
