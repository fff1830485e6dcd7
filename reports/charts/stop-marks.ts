/** Marks the times at which a link stood still, as grey bands in a static chart by Observable Plot. */
import * as Plot from '@observablehq/plot';
import type { ChartStop } from './chart-data.ts';

/**
 * Returns the bands. `pixel`: length of one pixel in the unit of the x axis. A band is at least 1.5 pixels wide, so
 * that even the shortest stop is visible.
 */
export function stopMarks(stops: readonly ChartStop[], pixel: number): Plot.Markish[] {
  if (stops.length === 0) return [];
  const bands = stops.map(({ from, to, label }) => ({ from, to: Math.max(to, from + 1.5 * pixel), label }));
  return [Plot.rectX(bands, { x1: 'from', x2: 'to', title: 'label', fill: 'var(--soft)', fillOpacity: 0.55 })];
}
