/** Small chart of the rates in a trial: a line for each flow, and the capacity in grey. It needs no script. */
import { isSamePlace, type Place } from '../../core/vocabulary/hops.ts';
import { highestRateBps, meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { Course, Flow } from '../../harness/studies/conformance/analysis/course.ts';
import { colourOf } from '../charts/palette.ts';
import { type Html, html } from '../html.ts';

/** Size of the chart, px. */
const [widthPx, heightPx] = [168, 56];
/** Number of values of a line. */
const points = 84;

/** Returns the values of the bins in `count` equal parts of the window. */
export function partsOf<T>(values: readonly T[], count: number): T[][] {
  const size = values.length / count;
  return Array.from({ length: count }, (_, k) => values.slice(Math.round(k * size), Math.round((k + 1) * size)));
}

/** Returns the rates of a flow, bit/s, in `count` equal parts of the window. */
export function ratesOf(
  { bits }: { bits: readonly number[] },
  { binMs }: Pick<Course, 'binMs'>,
  count: number,
): number[] {
  return partsOf(bits, count).map(part =>
    part.length === 0 ? 0 : (part.reduce((sum, value) => sum + value, 0) * 1000) / (part.length * binMs),
  );
}

/** Returns the capacity, bit/s, in equal parts of the window, of each bottleneck that flows cross. */
export function capacitiesOf(
  { bottlenecks, flows, windowMs }: Course,
  count: number,
): (Place & { values: number[] })[] {
  const stepMs = windowMs / count;
  return bottlenecks
    .filter(bottleneck => flows.some(flow => isSamePlace(flow, bottleneck)))
    .map(bottleneck => {
      const at = (_: unknown, k: number) => meanRateBps(bottleneck, k * stepMs, (k + 1) * stepMs);
      const { hop, direction } = bottleneck;
      return { hop, direction, values: Array.from({ length: count }, at) };
    });
}

/** Returns each flow once, at the last bottleneck that it crosses. */
export const lastOf = ({ flows }: Pick<Course, 'flows'>): Flow[] =>
  [...Map.groupBy(flows, ({ name }) => name).values()].map(
    entries => entries.toSorted((a, b) => (a.direction === 'down' ? a.hop - b.hop : b.hop - a.hop)).at(-1)!,
  );

export function spark(course: Course, label: string): Html {
  const most = Math.max(...course.bottlenecks.map(bottleneck => highestRateBps(bottleneck, 0, course.windowMs)));
  const path = (values: readonly number[]) =>
    values
      .map((value, k) => {
        const [x, y] = [((k + 0.5) * widthPx) / points, heightPx - 2 - Math.min(1, value / most) * (heightPx - 4)];
        return `${k === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join('');
  return html`<svg class="spark" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${label}">
${capacitiesOf(course, points).map(({ values }) => html`<path d="${path(values)}" fill="none" stroke="var(--soft)" stroke-width="1" stroke-dasharray="3 2"/>`)}
${lastOf(course).map((flow, k) => html`<path d="${path(ratesOf(flow, course, points))}" fill="none" stroke="${colourOf(k)}" stroke-width="1.4"/>`)}
</svg>`;
}
