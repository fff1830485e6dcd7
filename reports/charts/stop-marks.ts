/** The times at which a link stood still, as grey bands of a static chart by Observable Plot. */
import * as Plot from '@observablehq/plot';
import type { ChartStop } from './chart-data.ts';

/** `pixel`: length of a pixel on the x axis. Even the shortest stop is drawn 1.5 pixels wide, to be visible. */
export function stopMarks(stops: readonly ChartStop[], pixel: number): Plot.Markish[] {
  if (stops.length === 0) return [];
  const bands = stops.map(({ from, to, label }) => ({ from, to: Math.max(to, from + 1.5 * pixel), label }));
  return [Plot.rectX(bands, { x1: 'from', x2: 'to', title: 'label', fill: 'var(--soft)', fillOpacity: 0.55 })];
}
