/**
 * Section on the path model of a BBRv3 flood: its estimates over time, and the share of time that it spends in each
 * state.
 */
import { object } from '../../../core/schema/schema.ts';
import { binCount } from '../../../core/stats/binned.ts';
import { mean } from '../../../core/stats/quantile.ts';
import { formatRatio } from '../../../core/text/units.ts';
import type { ModelQuantity, StateShare } from '../../../harness/analysis/derive/flood-model.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { type Html, html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { floodLabel, overTrials, type ReportSection, trialCounts } from '../../report.ts';

const binMs = 200;

type Line = { label: string; quantity: ModelQuantity; scale: number };

/** Charts of the section. Each has the lines of one unit. */
const panels: { title: string; unit: string; lines: Line[] }[] = [
  {
    title: 'Bandwidth and pacing',
    unit: 'Mbit/s',
    lines: [
      { label: 'estimated bandwidth', quantity: 'maxBandwidthBps', scale: 1e-6 },
      { label: 'pacing rate', quantity: 'pacingBps', scale: 1e-6 },
    ],
  },
  {
    title: 'In flight and congestion window',
    unit: 'packets',
    lines: [
      { label: 'in flight', quantity: 'inFlightPackets', scale: 1 },
      { label: 'window', quantity: 'congestionWindowPackets', scale: 1 },
    ],
  },
  {
    title: 'Round-trip time',
    unit: 'ms',
    lines: [
      { label: 'min_rtt', quantity: 'minRttMs', scale: 1 },
      { label: 'last sample', quantity: 'rttMs', scale: 1 },
    ],
  },
];

/**
 * Model of the flood in one trial. `lines`: values per bin, by chart and line. `shares`: share of time in each state.
 */
type Told = { lines: (number | null)[][][]; shares: StateShare[] };

/** Returns the model of the flood in a trial. Undefined if the flood reports no model. */
async function toldOf(record: TrialView): Promise<Told | undefined> {
  const shares = await record.stateShares();
  if (shares.length === 0) return undefined;
  const flows = Math.max(1, record.flood?.flows.length ?? 1);
  const scaled = async ({ quantity, scale }: Line) => {
    // times are means over the flows, other quantities are sums
    const factor = quantity === 'minRttMs' || quantity === 'rttMs' ? scale / flows : scale;
    return (await record.floodModel(quantity, binMs)).map(value => (value === null ? null : value * factor));
  };
  return { lines: await Promise.all(panels.map(({ lines }) => Promise.all(lines.map(scaled)))), shares };
}

function states(told: readonly Told[]): string {
  return told[0]!.shares
    .map(
      ({ state }, i) =>
        `${state} ${formatRatio(Math.round(mean(told.map(({ shares }) => shares[i]!.ratio))! * 1000) / 1000)}`,
    )
    .join(', ');
}

export const plugin: ReportSection = {
  id: 'flood-model',
  title: 'Network path model of the flood',
  source: 'draft-ietf-ccwg-bbr, section 2.9: the network path model',
  params: object({}),
  order: 55,
  async render(report) {
    const figures: Html[] = [];
    for (const condition of report.plan.conditions) {
      const records = shownRecords(report, condition.id);
      const ofRecords = await overTrials(records, toldOf);
      const told = ofRecords.filter(trial => trial !== undefined);
      if (told.length === 0) continue;
      const { label: name, isDisturbed } = shownAs(report.summary, condition.id);
      const drawn = records.filter((_, i) => ofRecords[i] !== undefined);
      const { stops, caption } = await linkStops([{ title: name, records: drawn }]);
      const x = {
        label: 'time in the window (s)',
        values: Array.from({ length: binCount(records[0]!.window, binMs) }, (_, i) => (i * binMs) / 1000),
      };
      const charts = panels.map(
        ({ title, unit, lines }, place) =>
          html`<div><h3>${name}: ${title}</h3>${seriesChart({
            title: `${title}, ${name}`,
            x,
            y: { label: unit, min: 0 },
            lines: lines.map(({ label }, line) =>
              trialLine(
                { label, isDisturbed },
                line,
                told.map(trial => trial.lines[place]![line]!),
                true,
              ),
            ),
            stops: stops.flat(),
          })}</div>`,
      );
      figures.push(
        html`<figure><div class="panels">${charts}</div>
<figcaption>${name}, ${floodLabel(condition, report)}: sum over all flows, round-trip times their mean.
${lineCaption(told.length)} ${caption} Time in each state: ${states(told)}.</figcaption></figure>`,
      );
    }
    return figures.length === 0
      ? null
      : html`${figures}<p>Reported by the congestion control itself, ten times per second. ${trialCounts(report)}.</p>`;
  },
};
