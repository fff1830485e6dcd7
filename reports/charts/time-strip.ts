/**
 * Strip of time: lanes with one quantity each, one below the other on one time axis, and below them a row for each trial
 * with marks. It is SVG without a script, small enough to stand beside a sentence.
 */
import { type Html, html } from '../html.ts';
import type { ChartStop } from './chart-data.ts';

/** Line of a lane, one value for each bin. `low` and `high`: range over trials, drawn as a band. */
type StripLine = {
  colour: string;
  values: readonly (number | null)[];
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
};

export type StripLane = {
  unit: string;
  /** Value at the upper edge. The lower edge is 0. */
  max: number;
  lines: readonly StripLine[];
};

/** Marks of one trial, in seconds of the window. */
type StripRow = { stalls: readonly ChartStop[]; stops: readonly ChartStop[] };

type TimeStrip = {
  title: string;
  windowS: number;
  binS: number;
  lanes: readonly StripLane[];
  rows: readonly StripRow[];
  /** True: the lines are dashed, because the trial does not count. */
  isDisturbed: boolean;
};

/** Width of the strip, and of the labels at its left; heights of a lane, of the gap below it and of the axis, px. */
const [widthPx, leftPx, rightPx, lanePx, gapPx, axisPx] = [440, 62, 8, 31, 7, 18];
/** Least and greatest height of the row of a trial, and the height that all rows share, px. */
const [leastRowPx, mostRowPx, rowsPx] = [2, 9, 30];
/** Least width of a mark, px: the shortest one is visible, too. */
const leastMarkPx = 1.5;

const at = (value: number) => Number(value.toFixed(1));

/** Returns the runs of bins without a gap, as pairs of index and value. */
function runsOf(values: readonly (number | null)[]): [number, number][][] {
  const runs: [number, number][][] = [];
  let open: [number, number][] | null = null;
  for (const [i, value] of values.entries()) {
    if (value === null) {
      open = null;
      continue;
    }
    if (open === null) runs.push((open = []));
    open.push([i, value]);
  }
  return runs;
}

export function timeStrip({ title, windowS, binS, lanes, rows, isDisturbed }: TimeStrip): Html {
  const plotPx = widthPx - leftPx - rightPx;
  const x = (s: number) => at(leftPx + (s / windowS) * plotPx);
  const middle = (bin: number) => x(Math.min((bin + 0.5) * binS, windowS));
  const rowPx = Math.min(mostRowPx, Math.max(leastRowPx, rowsPx / Math.max(1, rows.length)));
  const rowsTop = lanes.length * (lanePx + gapPx);
  const bottom = at(rowsTop + rows.length * rowPx);
  const height = Math.ceil(bottom + axisPx);

  const drawnLane = ({ unit, max, lines }: StripLane, k: number) => {
    const top = k * (lanePx + gapPx);
    const base = top + lanePx;
    const y = (value: number) => at(base - Math.min(1, value / max) * lanePx);
    const path = (points: readonly [number, number][]) =>
      points.map(([bin, value], i) => `${i === 0 ? 'M' : 'L'}${middle(bin)} ${y(value)}`).join('');
    const drawn = lines.map(({ colour, values, low = [], high = [] }) => {
      const bands = runsOf(low).map(run => {
        const back = run.map(([bin]): [number, number] => [bin, high[bin] ?? 0]).reverse();
        return html`<path d="${path(run)}${path(back).replace('M', 'L')}Z" fill="${colour}" fill-opacity="0.2"/>`;
      });
      const dashes = isDisturbed ? html` stroke-dasharray="5 3"` : null;
      const strokes = runsOf(values).map(
        run =>
          html`<path d="${path(run)}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linecap="round"${dashes}/>`,
      );
      return [...bands, ...strokes];
    });
    return html`<rect x="${leftPx}" y="${top}" width="${plotPx}" height="${lanePx}" fill="var(--back)"/>
<text x="${leftPx - 6}" y="${top + 11}" text-anchor="end">${Number(max.toPrecision(3))} ${unit}</text>
<text x="${leftPx - 6}" y="${base}" text-anchor="end">0</text>${drawn}`;
  };

  const mark = ({ from, to, label }: ChartStop, k: number, colour: string) => {
    const [begin, end] = [x(Math.max(0, from)), x(Math.min(windowS, to))];
    const size = at(Math.max(leastMarkPx, end - begin));
    return html`<rect x="${begin}" y="${at(rowsTop + k * rowPx + 0.5)}" width="${size}" height="${at(rowPx - 1)}" fill="${colour}"><title>${label}</title></rect>`;
  };
  const drawnRow = ({ stalls, stops }: StripRow, k: number) => [
    html`<rect x="${leftPx}" y="${at(rowsTop + k * rowPx + 0.5)}" width="${plotPx}" height="${at(rowPx - 1)}" fill="var(--back)"/>`,
    ...stops.map(stop => mark(stop, k, 'var(--soft)')),
    ...stalls.map(stall => mark(stall, k, 'var(--bad)')),
  ];
  const ticks = [0, windowS / 2, windowS].map(
    (s, i) =>
      html`<text x="${x(s)}" y="${height - 4}" text-anchor="${['start', 'middle', 'end'][i]!}">${Number(s.toPrecision(3))}${i === 2 ? ' s' : ''}</text>`,
  );
  return html`<svg class="strip" role="img" aria-label="${title}" width="${widthPx}" height="${height}" viewBox="0 0 ${widthPx} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="var(--soft)">${lanes.map(drawnLane)}${rows.map(drawnRow)}${ticks}</svg>`;
}
