/**
 * A live chart: curves over the last minute. The current value of each curve is shown above the chart, in the curve's
 * colour. The page loads uPlot before this script.
 */
import { type History, reachS } from './history.ts';
import type { DemoValues } from './wire.ts';

type Curve = {
  label: string;
  /** Name of the curve's colour in style.css, for example "--media". */
  colour: string;
  value(values: DemoValues): number | null;
  /** Returns a value of the curve as text with its unit. */
  text(value: number): string;
  /** True if the curve is dashed and belongs to a second axis at the right. */
  second?: boolean;
};

export type ChartOptions = {
  title: string;
  curves: Curve[];
  /** Upper end of an axis as long as all values are smaller. */
  least: number;
  /** Returns the value at which a dashed horizontal line is drawn. */
  limit?(values: DemoValues): number;
  wide?: boolean;
};

const pixelsPerRem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
/** Returns the colour that a property of style.css has in the current theme. */
function colourOf(name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export class LiveChart {
  readonly #options: ChartOptions;
  readonly #history: History;
  readonly #place = document.createElement('div');
  readonly #present: HTMLElement[] = [];
  #colours = { soft: '', line: '', bad: '' };
  #plot: uPlot | undefined;

  constructor(parent: HTMLElement, options: ChartOptions, history: History) {
    this.#options = options;
    this.#history = history;
    const figure = document.createElement('figure');
    if (options.wide === true) figure.className = 'wide';
    const caption = document.createElement('figcaption');
    caption.append(Object.assign(document.createElement('span'), { textContent: options.title }));
    for (const { colour, label } of options.curves) {
      const present = Object.assign(document.createElement('b'), { title: label });
      present.style.color = `var(${colour})`;
      this.#present.push(present);
      caption.append(present);
    }
    this.#place.className = 'plot';
    figure.append(caption, this.#place);
    parent.append(figure);
    new ResizeObserver(() => this.redraw()).observe(this.#place);
  }

  /** Draws the chart again after its size or the theme has changed. */
  redraw(): void {
    this.#plot?.destroy();
    const { clientWidth: width, clientHeight: height } = this.#place;
    if (width < 20 || height < 20) {
      this.#plot = undefined;
      return;
    }
    const { curves, least } = this.#options;
    const rem = pixelsPerRem();
    const { soft, line } = (this.#colours = {
      soft: colourOf('--soft'),
      line: colourOf('--line'),
      bad: colourOf('--bad'),
    });
    const reach = (_: unknown, _low: number, high: number | null): uPlot.Range.MinMax => [
      0,
      Math.max(least, (high ?? 0) * 1.08),
    ];
    const axis = {
      stroke: soft,
      font: `${Math.round(rem)}px system-ui`,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
    };
    this.#plot = new uPlot(
      {
        width,
        height,
        padding: [rem * 0.5, rem * 0.3, rem * 0.3, 0],
        scales: {
          x: { time: false, range: () => this.#reach() },
          y: { range: reach },
          second: { range: reach },
        },
        axes: [
          { ...axis, size: 0, values: () => [] },
          { ...axis, size: rem * 3.3, gap: 4, space: rem * 2.6 },
          ...(curves.some(({ second }) => second)
            ? [{ ...axis, scale: 'second', side: 1, grid: { show: false }, size: rem * 3.3, gap: 4, space: rem * 2.6 }]
            : []),
        ],
        series: [
          {},
          ...curves.map(({ label, colour, second }) => ({
            label,
            stroke: colourOf(colour),
            width: 2.5,
            points: { show: false },
            spanGaps: false,
            ...(second === true ? { scale: 'second', dash: [6, 6] } : {}),
          })),
        ],
        cursor: { show: false },
        legend: { show: false },
        hooks: { drawClear: [(plot: uPlot) => this.#drawStalls(plot)], draw: [(plot: uPlot) => this.#drawLimit(plot)] },
      },
      this.#data(),
      this.#place,
    );
  }

  update(): void {
    this.#plot?.setData(this.#data());
    const { newest } = this.#history;
    for (const [k, curve] of this.#options.curves.entries()) {
      const value = newest === undefined ? null : curve.value(newest);
      this.#present[k]!.textContent = value === null ? '' : curve.text(value);
    }
  }

  #data(): uPlot.AlignedData {
    return [
      this.#history.timesS(),
      ...this.#options.curves.map(curve => this.#history.column(values => curve.value(values))),
    ];
  }

  #reach(): [number, number] {
    const nowS = (this.#history.newest?.timeMs ?? 0) / 1000;
    return [nowS - reachS, nowS];
  }

  /**
   * Draws a red band over each stall of the video. Every chart has these bands, so that viewers see how the other
   * curves run during a stall.
   */
  #drawStalls(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = this.#colours.bad;
    ctx.globalAlpha = 0.28;
    for (const { fromS, toS } of this.#history.stalls) {
      const from = Math.max(bbox.left, plot.valToPos(fromS, 'x', true));
      ctx.fillRect(from, bbox.top, Math.max(2, plot.valToPos(toS, 'x', true) - from), bbox.height);
    }
    ctx.restore();
  }

  #drawLimit(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { newest } = this.#history;
    if (this.#options.limit === undefined || newest === undefined) return;
    const y = plot.valToPos(this.#options.limit(newest), 'y', true);
    if (y < bbox.top) return;
    ctx.save();
    ctx.strokeStyle = this.#colours.soft;
    ctx.setLineDash([8, 6]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }
}
