/** Small chart of the rates in a trial: a line for each flow, and the capacity in grey. It needs no script. */
import { type Direction, directions } from '../../core/vocabulary/direction.ts';
import { highestRateBps, meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { Course } from '../../harness/studies/conformance/analysis/course.ts';
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

/** Returns the capacity, bit/s, in equal parts of the window, of each direction that has a bottleneck and flows. */
export function capacitiesOf(
  { bottlenecks, flows, windowMs }: Course,
  count: number,
): { direction: Direction; values: number[] }[] {
  const stepMs = windowMs / count;
  return directions.flatMap(direction => {
    const bottleneck = bottlenecks[direction];
    if (bottleneck === null || !flows.some(flow => flow.direction === direction)) return [];
    const at = (_: unknown, k: number) => meanRateBps(bottleneck, k * stepMs, (k + 1) * stepMs);
    return [{ direction, values: Array.from({ length: count }, at) }];
  });
}

export function spark(course: Course, label: string): Html {
  const most = Math.max(
    ...directions.flatMap(direction => {
      const bottleneck = course.bottlenecks[direction];
      return bottleneck === null ? [] : [highestRateBps(bottleneck, 0, course.windowMs)];
    }),
  );
  const path = (values: readonly number[]) =>
    values
      .map((value, k) => {
        const [x, y] = [((k + 0.5) * widthPx) / points, heightPx - 2 - Math.min(1, value / most) * (heightPx - 4)];
        return `${k === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join('');
  return html`<svg class="spark" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${label}">
${capacitiesOf(course, points).map(({ values }) => html`<path d="${path(values)}" fill="none" stroke="var(--soft)" stroke-width="1" stroke-dasharray="3 2"/>`)}
${course.flows.map((flow, k) => html`<path d="${path(ratesOf(flow, course, points))}" fill="none" stroke="${colourOf(k)}" stroke-width="1.4"/>`)}
</svg>`;
}
