/**
 * Draws the report's zoomable charts. Runs in the reader's browser; uPlot is inlined before it.
 *
 * Drag to zoom, double click for the whole, arrow keys to move the cursor, "CSV" for the numbers.
 */
import type { ChartMark, SeriesChart } from '../charts/series-chart.ts';

type Plot = {
  cursor: { idx: number | null };
  data: (number | null)[][];
  bbox: { left: number; top: number; width: number; height: number };
  ctx: CanvasRenderingContext2D;
  valToPos(value: number, scale: string, canvas?: boolean): number;
  setCursor(at: { left: number; top: number }): void;
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
};
declare const uPlot: new (options: object, data: (number | null)[][], target: HTMLElement) => Plot;

const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colourOf = (index: number) => style(`--c${index}`);
const withAlpha = (colour: string, alpha: number) => `color-mix(in srgb, ${colour} ${Math.round(alpha * 100)}%, transparent)`;

function columns(chart: SeriesChart): { data: (number | null)[][]; series: object[]; bands: object[]; names: string[] } {
  const data: (number | null)[][] = [chart.x.values];
  const series: object[] = [{ label: chart.x.label, value: (_: unknown, v: number | null) => (v === null ? '' : String(Number(v.toPrecision(5)))) }];
  const bands: object[] = [];
  const names = [chart.x.label];
  for (const line of chart.lines) {
    const colour = colourOf(line.colour);
    const shown = (_: unknown, v: number | null) => (v === null || v === undefined ? '' : String(Number(v.toPrecision(4))));
    data.push(line.values);
    names.push(line.label);
    series.push({ label: line.label, stroke: colour, width: 2, points: { show: false }, spanGaps: false, value: shown, ...(line.stepped ? { paths: (uPlot as unknown as { paths: { stepped(o: object): object } }).paths.stepped({ align: 1 }) } : {}) });
    if (line.band === undefined) continue;
    const at = data.length;
    for (const [edge, values] of [['high', line.band.high], ['low', line.band.low]] as const) {
      data.push(values);
      names.push(`${line.label}, ${edge}est`);
      series.push({ label: `${line.label} ${edge}`, stroke: 'transparent', width: 0, points: { show: false }, class: 'band', value: shown });
    }
    bands.push({ series: [at, at + 1], fill: withAlpha(colour, 0.18) });
  }
  return { data, series, bands, names };
}

/** A stepped line ends where its last bin begins: one more point gives that bin its width. */
function lastStepDrawn(chart: SeriesChart): SeriesChart {
  const [before, last] = chart.x.values.slice(-2);
  if (before === undefined || last === undefined || chart.x.log === true || !chart.lines.some(line => line.stepped)) return chart;
  const repeated = (values: (number | null)[]) => [...values, values.at(-1) ?? null];
  return {
    ...chart, x: { ...chart.x, values: [...chart.x.values, last + (last - before)] },
    lines: chart.lines.map(line => ({ ...line, values: repeated(line.values), ...(line.band === undefined ? {} : { band: { low: repeated(line.band.low), high: repeated(line.band.high) } }) })),
  };
}

function drawMarks(plot: Plot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  for (const mark of marks) {
    const from = plot.valToPos(mark.from, 'x', true);
    const to = plot.valToPos(mark.to, 'x', true);
    if (to < bbox.left || from > bbox.left + bbox.width) continue;
    ctx.fillStyle = withAlpha(colourOf(mark.colour), 0.35);
    ctx.fillRect(from, bbox.top, Math.max(2, to - from), bbox.height);
  }
  ctx.restore();
}

function csv(names: readonly string[], data: readonly (number | null)[][]): string {
  const quoted = names.map(name => `"${name.replaceAll('"', '""')}"`).join(',');
  return `${quoted}\n${data[0]!.map((_, row) => data.map(column => column[row] ?? '').join(',')).join('\n')}\n`;
}

function draw(element: HTMLElement): void {
  const chart = lastStepDrawn(JSON.parse(element.querySelector('script')!.textContent!) as SeriesChart);
  const { data, series, bands, names } = columns(chart);
  const axis = { stroke: style('--text'), grid: { stroke: style('--line'), width: 1 }, ticks: { stroke: style('--line'), width: 1 }, font: '12px system-ui', labelFont: '12px system-ui', labelSize: 20 };
  const size = () => ({ width: element.clientWidth, height: chart.height ?? 230 });
  const plot = new uPlot({
    ...size(),
    scales: { x: { time: false, ...(chart.x.log === true ? { distr: 3 } : {}) }, y: { range: (_: unknown, low: number, high: number) => [chart.y.min ?? low, chart.y.max ?? Math.max(high * 1.05, (chart.y.min ?? 0) + 1e-6)] } },
    axes: [{ ...axis, label: chart.x.label, ...(chart.x.log === true ? { values: (_: unknown, ticks: (number | null)[]) => ticks.map(tick => (tick !== null && /^1e/.test(tick.toExponential()) ? String(tick) : '')) } : {}) }, { ...axis, label: chart.y.label, size: 56 }],
    series, bands,
    cursor: { drag: { x: true, y: false }, points: { size: 6 } },
    legend: { live: true },
    hooks: { drawClear: [(p: Plot) => drawMarks(p, chart.marks ?? [])] },
  }, data, element);
  const save = document.createElement('a');
  save.textContent = 'CSV';
  save.className = 'csv';
  save.download = `${chart.title.replace(/[^\w]+/g, '-').toLowerCase()}.csv`;
  save.href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv(names, data))}`;
  element.append(save);
  element.addEventListener('keydown', event => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = Math.min(data[0]!.length - 1, Math.max(0, (plot.cursor.idx ?? -1) + step));
    plot.setCursor({ left: plot.valToPos(data[0]![index]!, 'x'), top: 10 });
  });
  new ResizeObserver(() => plot.setSize(size())).observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plot.destroy();
    save.remove();
    draw(element);
  }, { once: true });
}

// a chart is drawn when the reader comes near it, or when the report is printed
const waiting = new Set(document.querySelectorAll<HTMLElement>('.chart'));
function drawOnce(element: HTMLElement): void {
  if (waiting.delete(element)) draw(element);
}
const near = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) drawOnce(entry.target as HTMLElement);
}, { rootMargin: '600px' });
for (const element of waiting) near.observe(element);
addEventListener('beforeprint', () => { for (const element of [...waiting]) drawOnce(element); });
