/**
 * Draws the zoomable charts of a report. Runs in the reader's browser; uPlot comes before this script in the page.
 *
 * Dragging zooms in, a double click shows the whole chart. Arrow keys move the cursor, plus and minus zoom around it,
 * Escape shows the whole chart. "CSV" downloads the numbers.
 */
import { cellWithoutFormula } from '../../../core/text/formula.ts';
import type { ChartMark, ChartPhase, ChartStop, SeriesChart } from '../../charts/chart-data.ts';
import { colour, colourOf, onThemeChange, withAlpha } from './colours.ts';

/** Data in the form that uPlot reads: first the values of the x axis, then the values of each line. */
type Columns = [number[], ...(number | null)[][]];

function columns(chart: SeriesChart): {
  data: Columns;
  series: uPlot.Series[];
  bands: uPlot.Band[];
  names: string[];
} {
  const data: Columns = [chart.x.values];
  const series: uPlot.Series[] = [
    {
      label: chart.x.label,
      value: (_: unknown, v: number | null) => (v === null ? '' : String(Number(v.toPrecision(5)))),
    },
  ];
  const bands: uPlot.Band[] = [];
  const names = [chart.x.label];
  for (const line of chart.lines) {
    const stroke = colourOf(line.colour);
    const shown = (_: unknown, v: number | null) =>
      v === null || v === undefined ? '' : String(Number(v.toPrecision(4)));
    data.push(line.values);
    names.push(line.label);
    series.push({
      label: line.label,
      stroke,
      width: 2,
      ...(line.dashed ? { dash: [6, 4] } : {}),
      points: { show: chart.dots === true, size: 6 },
      spanGaps: false,
      value: shown,
      ...(line.stepped ? { paths: uPlot.paths.stepped!({ align: 1 })! } : {}),
    });
    if (line.band === undefined) continue;
    const at = data.length;
    for (const [edge, values] of [
      ['high', line.band.high],
      ['low', line.band.low],
    ] as const) {
      data.push(values);
      names.push(`${line.label}, ${edge}est`);
      series.push({
        label: `${line.label} ${edge}`,
        stroke: 'transparent',
        width: 0,
        points: { show: false },
        class: 'band',
        value: shown,
      });
    }
    bands.push({ series: [at, at + 1], fill: withAlpha(stroke, 0.18) });
  }
  return { data, series, bands, names };
}

/**
 * Returns the chart with one more point if it has stepped lines. Without this point a stepped line would end at the
 * start of its last bin.
 */
function lastStepDrawn(chart: SeriesChart): SeriesChart {
  const [before, last] = chart.x.values.slice(-2);
  if (before === undefined || last === undefined || chart.x.log === true || !chart.lines.some(line => line.stepped))
    return chart;
  const repeated = (values: (number | null)[]) => [...values, values.at(-1) ?? null];
  return {
    ...chart,
    x: { ...chart.x, values: [...chart.x.values, last + (last - before)] },
    lines: chart.lines.map(line => ({
      ...line,
      values: repeated(line.values),
      ...(line.band === undefined ? {} : { band: { low: repeated(line.band.low), high: repeated(line.band.high) } }),
    })),
  };
}

/**
 * Returns the position and width of a stretch of the x axis, in canvas pixels. Undefined if the stretch is outside the
 * visible range.
 */
function placed(
  { bbox, valToPos }: uPlot,
  { from, to }: { from: number; to: number },
): { left: number; width: number } | undefined {
  const left = Math.max(bbox.left, valToPos(from, 'x', true));
  const right = Math.min(bbox.left + bbox.width, valToPos(to, 'x', true));
  const width = Math.max(2, devicePixelRatio, right - left);
  return right < bbox.left || left > bbox.left + bbox.width ? undefined : { left, width };
}

function drawPhases(plot: uPlot, phases: readonly ChartPhase[]): void {
  const { ctx, bbox } = plot;
  const soft = colour('--soft');
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.textBaseline = 'bottom';
  for (const [i, phase] of phases.entries()) {
    const place = placed(plot, phase);
    if (place === undefined) continue;
    ctx.fillStyle = withAlpha(soft, i % 2 === 0 ? 0.2 : 0.08);
    ctx.fillRect(place.left, bbox.top, place.width, bbox.height);
    if (ctx.measureText(phase.label).width + 8 * devicePixelRatio > place.width) continue; // a tooltip shows the label
    ctx.fillStyle = soft;
    ctx.fillText(phase.label, place.left + 4 * devicePixelRatio, bbox.top + bbox.height - 2 * devicePixelRatio);
  }
}

/**
 * Draws the marks. If all have the same colour, each covers the whole height. Otherwise the marks are faint, with a
 * strip in the colour of the mark at the bottom.
 */
function drawMarks(plot: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = plot;
  const strips = [...new Set(marks.map(mark => mark.colour))];
  const colours = strips.map(colourOf);
  const stripHeight = Math.min(7 * devicePixelRatio, bbox.height / 2 / strips.length);
  for (const mark of marks) {
    const place = placed(plot, mark);
    if (place === undefined) continue;
    const strip = strips.indexOf(mark.colour);
    const own = colours[strip]!;
    ctx.fillStyle = withAlpha(own, strips.length === 1 ? 0.35 : 0.1);
    ctx.fillRect(place.left, bbox.top, place.width, bbox.height);
    if (strips.length === 1) continue;
    ctx.fillStyle = withAlpha(own, 0.8);
    ctx.fillRect(
      place.left,
      bbox.top + bbox.height - (strips.length - strip) * stripHeight,
      place.width,
      stripHeight - devicePixelRatio,
    );
  }
}

/** Draws stops of the link, darker than phases, because most stops are as narrow as a line. */
function drawStops(plot: uPlot, stops: readonly ChartStop[]): void {
  const { ctx, bbox } = plot;
  ctx.fillStyle = withAlpha(colour('--soft'), 0.55);
  for (const stop of stops) {
    const place = placed(plot, stop);
    if (place !== undefined) ctx.fillRect(place.left, bbox.top, place.width, bbox.height);
  }
}

function drawBehind(plot: uPlot, { phases = [], marks = [], stops = [] }: SeriesChart): void {
  plot.ctx.save();
  drawPhases(plot, phases);
  drawMarks(plot, marks);
  drawStops(plot, stops);
  plot.ctx.restore();
}

/**
 * Returns the labels of a logarithmic axis: powers of ten, and also values between them if the axis shows few powers.
 */
function logTicks(ticks: (number | null)[]): string[] {
  const seen = ticks.filter(tick => tick !== null);
  const wide = Math.log10(Math.max(...seen) / Math.min(...seen)) > 2;
  return ticks.map(tick =>
    tick !== null && (wide ? /^1e/ : /^[1235]e/).test(tick.toExponential()) ? String(tick) : '',
  );
}

/**
 * Returns the labels of the marks, phases and stops at position `x`. `slack`: distance at which a mark still counts.
 */
function markedAt({ marks = [], phases = [], stops = [] }: SeriesChart, x: number, slack: number): string {
  const here = [
    ...[...stops, ...marks].filter(({ from, to }) => x >= from - slack && x <= to + slack),
    ...phases.filter(({ from, to }) => x >= from && x < to),
  ].map(({ label }) => label);
  return here.length > 3 ? `${here.slice(0, 3).join('; ')}; and ${here.length - 3} more` : here.join('; ');
}

function csv(names: readonly string[], data: readonly (number | null)[][]): string {
  const quoted = names.map(name => `"${cellWithoutFormula(name).replaceAll('"', '""')}"`).join(',');
  return `${quoted}\n${data[0]!.map((_, row) => data.map(column => column[row] ?? '').join(',')).join('\n')}\n`;
}

function csvLink(chart: SeriesChart, names: readonly string[], data: readonly (number | null)[][]): HTMLAnchorElement {
  const save = document.createElement('a');
  save.textContent = 'CSV';
  save.className = 'csv';
  save.download = `${chart.title.replace(/[^\w]+/g, '-').toLowerCase()}.csv`;
  save.href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv(names, data))}`;
  return save;
}

function onKey(plot: uPlot, [xs]: Columns, event: KeyboardEvent): void {
  const whole = { min: xs[0]!, max: xs.at(-1)! };
  const zoom = (factor: number) => {
    const { min = whole.min, max = whole.max } = plot.scales['x']!;
    const middle = plot.cursor.idx == null ? (min + max) / 2 : xs[plot.cursor.idx]!;
    plot.setScale('x', {
      min: Math.max(whole.min, middle - (middle - min) * factor),
      max: Math.min(whole.max, middle + (max - middle) * factor),
    });
  };
  const step = (by: number) => {
    const index = Math.min(xs.length - 1, Math.max(0, (plot.cursor.idx ?? -1) + by));
    plot.setCursor({ left: plot.valToPos(xs[index]!, 'x'), top: 10 });
  };
  const actions: Record<string, () => void> = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    Escape: () => plot.setScale('x', whole),
  };
  const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** Draws a chart into an element, and draws it again after each change of the page's colours. */
export function drawChart(element: HTMLElement, given: SeriesChart): void {
  const chart = lastStepDrawn(given);
  const { data, series, bands, names } = columns(chart);
  const line = colour('--line');
  const axis = {
    stroke: colour('--text'),
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '12px system-ui',
    labelFont: '12px system-ui',
    labelSize: 20,
  };
  const size = () => ({ width: element.clientWidth, height: chart.height ?? 230 });
  const told = document.createElement('p');
  told.className = 'told';
  told.setAttribute('aria-live', 'polite');
  const tell = (p: uPlot) => {
    const at = p.cursor.left ?? -1;
    element.classList.toggle('pointed', at >= 0); // the legend shows values while the cursor is in the chart
    const slack = p.posToVal(3, 'x') - p.posToVal(0, 'x');
    const text = at < 0 ? '' : markedAt(chart, p.posToVal(at, 'x'), slack);
    if (told.textContent !== text) told.textContent = text;
  };
  const plot = new uPlot(
    {
      ...size(),
      scales: {
        x: { time: false, ...(chart.x.log === true ? { distr: 3 } : {}) },
        y: {
          range: (_: unknown, low: number, high: number) => [
            chart.y.min ?? low,
            chart.y.max ?? Math.max(high * 1.05, (chart.y.min ?? 0) + 1e-6),
          ],
        },
      },
      axes: [
        {
          ...axis,
          label: chart.x.label,
          ...(chart.x.log === true
            ? {
                filter: (_: unknown, ticks: (number | null)[]) => ticks,
                values: (_: unknown, ticks: (number | null)[]) => logTicks(ticks),
              }
            : {}),
        },
        { ...axis, label: chart.y.label, size: 56 },
      ],
      series,
      bands,
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      legend: { live: true },
      hooks: { drawClear: [(p: uPlot) => drawBehind(p, chart)], setCursor: [tell] },
    },
    data,
    element,
  );
  const save = csvLink(chart, names, data);
  element.append(told, save);
  const keys = (event: KeyboardEvent) => onKey(plot, data, event);
  element.addEventListener('keydown', keys);
  const resized = new ResizeObserver(() => plot.setSize(size()));
  resized.observe(element);
  onThemeChange(() => {
    element.removeEventListener('keydown', keys);
    resized.disconnect();
    plot.destroy();
    element.classList.remove('pointed');
    told.remove();
    save.remove();
    if (element.isConnected) drawChart(element, given);
  });
}
