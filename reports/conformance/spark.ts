/** Small chart of the rates in a trial: a line for each flow, and the capacity in grey. It needs no script. */
import type { Direction } from '../../core/vocabulary/direction.ts';
import { highestRateBps, meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { Course } from '../../harness/studies/conformance/analysis/course.ts';
import { colourOf } from '../charts/palette.ts';
import { type Html, html } from '../html.ts';

/** Size of the chart, px. */
const [widthPx, heightPx] = [168, 56];
/** Number of values of a line. */
const points = 84;

/** Returns the rates of a flow, bit/s, in `count` equal parts of the window. */
export function ratesOf(
  { bits }: { bits: readonly number[] },
  { binMs }: Pick<Course, 'binMs'>,
  count: number,
): number[] {
  const size = bits.length / count;
  return Array.from({ length: count }, (_, k) => {
    const part = bits.slice(Math.round(k * size), Math.round((k + 1) * size));
    return part.length === 0 ? 0 : (part.reduce((sum, value) => sum + value, 0) * 1000) / (part.length * binMs);
  });
}

/** Returns the capacity of a direction, bit/s, in equal parts of the window; null without a bottleneck. */
export function capacitiesOf({ bottlenecks, windowMs }: Course, direction: Direction, count: number): number[] | null {
  const bottleneck = bottlenecks[direction];
  if (bottleneck === null) return null;
  const stepMs = windowMs / count;
  return Array.from({ length: count }, (_, k) => meanRateBps(bottleneck, k * stepMs, (k + 1) * stepMs));
}

export function spark(course: Course, label: string): Html {
  const capacities = (['down', 'up'] as const).flatMap(direction => {
    const values = capacitiesOf(course, direction, points);
    return values === null || !course.flows.some(flow => flow.direction === direction) ? [] : [values];
  });
  const most = Math.max(
    ...(['down', 'up'] as const).flatMap(direction => {
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
${capacities.map(values => html`<path d="${path(values)}" fill="none" stroke="var(--soft)" stroke-width="1" stroke-dasharray="3 2"/>`)}
${course.flows.map((flow, k) => html`<path d="${path(ratesOf(flow, course, points))}" fill="none" stroke="${colourOf(k)}" stroke-width="1.4"/>`)}
</svg>`;
}
