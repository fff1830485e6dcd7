/** The path as a flood of BBRv3 sees it: its estimates over time, and how it spent the time. */
import { formatRatio } from '../../../harness/base/units.ts';
import { object } from '../../../harness/base/schema.ts';
import { binCount } from '../../../harness/derive/binned.ts';
import { floodModel, stateShares } from '../../../harness/derive/flood-model.ts';
import type { ModelQuantity } from '../../../harness/derive/flood-model.ts';
import { mean } from '../../../harness/stats/quantile.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { floodLabel, trialCounts } from '../../report.ts';
import type { ReportSection } from '../../report.ts';

const binMs = 200;

type Line = { label: string; quantity: ModelQuantity; scale: number };

/** Panels: what is drawn in one unit. */
const panels: { title: string; unit: string; lines: Line[] }[] = [
  { title: 'Bandwidth and pacing', unit: 'Mbit/s', lines: [{ label: 'estimated bandwidth', quantity: 'maxBandwidthBps', scale: 1e-6 }, { label: 'pacing rate', quantity: 'pacingBps', scale: 1e-6 }] },
  { title: 'In flight and its window', unit: 'packets', lines: [{ label: 'in flight', quantity: 'inFlightPackets', scale: 1 }, { label: 'window', quantity: 'congestionWindowPackets', scale: 1 }] },
  { title: 'Round trips', unit: 'ms', lines: [{ label: 'min_rtt', quantity: 'minRttMs', scale: 1 }, { label: 'last sample', quantity: 'rttMs', scale: 1 }] },
];

async function scaled(records: readonly TrialRecord[], { quantity, scale }: Line): Promise<(number | null)[][]> {
  const flows = (record: TrialRecord) => (quantity === 'minRttMs' || quantity === 'rttMs' ? Math.max(1, record.file.flood?.flows.length ?? 1) : 1); // a time is a mean of the flows, the rest their sum
  return Promise.all(records.map(async record => (await floodModel(record, quantity, binMs)).map(value => (value === null ? null : value * scale / flows(record)))));
}

async function states(records: readonly TrialRecord[]): Promise<string> {
  const all = await Promise.all(records.map(stateShares));
  return all[0]!.map(({ state }, i) => `${state} ${formatRatio(Math.round(mean(all.map(shares => shares[i]!.ratio))! * 1000) / 1000)}`).join(', ');
}

export const plugin: ReportSection = {
  id: 'flood-model',
  title: 'The path as the flood sees it',
  source: 'draft-ietf-ccwg-bbr, section 2.9: the network path model',
  params: object({}),
  order: 55,
  async render(report) {
    const figures: Html[] = [];
    for (const condition of report.plan.conditions) {
      const records: TrialRecord[] = [];
      for (const record of report.records.get(condition.id) ?? []) if ((await stateShares(record)).length > 0) records.push(record);
      if (records.length === 0) continue;
      const x = { label: 'time in the window (s)', values: Array.from({ length: binCount(records[0]!.window, binMs) }, (_, i) => i * binMs / 1000) };
      const charts = await Promise.all(panels.map(async ({ title, unit, lines }) => html`<div><h3>${condition.title}: ${title}</h3>${seriesChart({
        title: `${title}, ${condition.title}`, x, y: { label: unit, min: 0 },
        lines: await Promise.all(lines.map(async (line, colour) => trialLine(line.label, colour, await scaled(records, line), true))),
      })}</div>`));
      figures.push(html`<figure><div class="panels">${charts}</div><figcaption>${condition.title}, ${floodLabel(condition, report)}: all flows together, round trips their mean. ${
        lineCaption(records.length)} Time spent: ${await states(records)}.</figcaption></figure>`);
    }
    return figures.length === 0 ? null : html`${figures}<p>Told by the congestion control itself, ten times a second. ${trialCounts(report)}.</p>`;
  },
};
