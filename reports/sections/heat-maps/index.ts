/**
 * Section with heat maps of each metric over two varied parameters, or over one varied parameter and the named
 * conditions.
 */
import { object } from '../../../core/schema/schema.ts';
import { heatMap } from '../../charts/heat-map.ts';
import { formatInterval, formatMedian, formatNumber, quantityOf, shownUnit } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { type ReportData, type ReportSection, validCounts } from '../../report.ts';
import { withSubjectRates } from '../../subject-rate.ts';
import { type Field, variedFields } from './combinations.ts';

const shown = ['frame-rate', 'stall-time', 'goodput', 'frame-latency-p95', 'queue-delay-p95', 'link-utilisation'];

function drawn(field: Field, id: string, { summary }: ReportData): Html | undefined {
  const quantity = quantityOf(summary.quantities, id);
  const cells = field.cells.map(({ x, y, condition }) => {
    const value = summary.conditions.find(other => other.id === condition)!.metrics[id]!;
    const text = value.value === null ? '\u2013' : formatNumber(value.value, quantity.unit);
    const median = `${formatMedian(value, quantity.unit)} ${formatInterval(value, quantity.unit)}`;
    return { x, y, value: value.value, text, detail: `${y}, ${x}: ${median} n = ${value.n}` };
  });
  if (cells.every(({ value }) => value === null)) return undefined;
  const unit = shownUnit(quantity.unit);
  const title = `${quantity.title}${unit === '' ? '' : ` (${unit})`}`;
  const map = heatMap({ title, x: field.x, y: field.y, cells });
  return html`<div><h3>${field.title === '' ? title : `${field.title}: ${title}`}</h3>${map}</div>`;
}

export const plugin: ReportSection = {
  id: 'heat-maps',
  title: 'Varied parameters',
  source: 'own',
  params: object({}),
  order: 12,
  async render(report) {
    const fields = variedFields(report.plan);
    const maps = fields.flatMap(field =>
      withSubjectRates(shown, report.summary).flatMap(id => drawn(field, id, report) ?? []),
    );
    if (maps.length === 0) return null;
    const { x, y } = fields[0]!;
    return html`<figure><div class="panels">${maps}</div>
<figcaption>Medians over trials; rows: ${y.label}, columns: ${x.label}; darker means larger. Point at a number for its
interval and n, or see Table 1. ${validCounts(report)}.</figcaption></figure>`;
  },
};
