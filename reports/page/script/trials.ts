/**
 * Opens single trials in the table of trials: series, findings, link tests and metrics, built from the embedded data
 * when the reader opens a trial. Runs in the reader's browser. The up and down keys go from trial to trial, Escape
 * closes the trial.
 */
import type { SeriesChart } from '../../charts/chart-data.ts';
import type { SharedData, TrialData } from '../trial-data.ts';
import { drawChart } from './chart.ts';

type Lines = { shared: SharedData; trials: string[]; places: Map<string, number> };

/** Charts of an open trial. Each has the series of one unit. */
const panels: {
  title: string;
  unit: string;
  scale: number;
  lines: [id: string, label: string, colour: number][];
  stepped: boolean;
}[] = [
  { title: 'Frame rate', unit: 'fps', scale: 1, lines: [['framesPerSecond', 'presented', 0]], stepped: true },
  {
    title: 'Rates',
    unit: 'Mbit/s',
    scale: 1e-6,
    lines: [
      ['goodputBps', 'goodput', 0],
      ['othersGoodputBps', 'the others', 1],
      ['targetBps', 'target of the sender', 2],
    ],
    stepped: true,
  },
  {
    title: 'Congestion control of the sender',
    unit: 'Mbit/s',
    scale: 1e-6,
    stepped: true,
    lines: [
      ['ackedBps', 'acked', 0],
      ['pacingBps', 'pacing', 1],
      ['targetBps', 'target', 2],
      ['estimateBps', 'estimate', 3],
    ],
  },
  {
    title: 'In flight',
    unit: 'kB',
    scale: 1e-3,
    lines: [['inFlightBytes', 'sent and not yet told of', 0]],
    stepped: true,
  },
  {
    title: 'Delay',
    unit: 'ms',
    scale: 1,
    lines: [
      ['rttMs', 'round trip (ICMP)', 0],
      ['queueDelayMs', 'time in the queue', 1],
    ],
    stepped: false,
  },
];

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  parts: (Node | string)[] = [],
  className = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.append(...parts);
  if (className !== '') element.className = className;
  return element;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const cells = (name: 'th' | 'td', texts: readonly string[]) =>
    make(
      'tr',
      texts.map(text => make(name, [text])),
    );
  return make(
    'div',
    [
      make('table', [
        make('thead', [cells('th', head)]),
        make(
          'tbody',
          rows.map(row => cells('td', row)),
        ),
      ]),
    ],
    'scroll',
  );
}

function chartOf(
  trial: TrialData,
  { title, unit, scale, lines, stepped }: (typeof panels)[number],
): SeriesChart | undefined {
  const binned = trial.binned!;
  const drawn = lines.filter(([id]) => binned.values[id] !== undefined);
  if (drawn.length === 0) return undefined;
  const bins = binned.values[drawn[0]![0]]!.length;
  return {
    title: `${title}, ${trial.name}`,
    x: {
      label: 'time in the window (s)',
      values: Array.from({ length: bins }, (_, i) => Number((binned.startS + i * binned.binS).toFixed(3))),
    },
    y: { label: unit, min: 0 },
    height: 200,
    lines: drawn.map(([id, label, place]) => ({
      label,
      colour: place,
      stepped,
      values: binned.values[id]!.map(value => (value === null ? null : value * scale)),
    })),
    marks: trial.stalls.map(([from, to, label]) => ({ from, to, label, colour: 1 })),
    phases: trial.phases.map(([from, to, label]) => ({ from, to, label })),
    stops: trial.stops.map(([from, to, label]) => ({ from, to, label })),
  };
}

function folded(title: string, content: Node): HTMLElement {
  return make('details', [make('summary', [title]), content]);
}

/** Builds the panel of a trial. The caller draws `charts` when the panel is part of the page. */
function panelOf(trial: TrialData, shared: SharedData): { panel: HTMLElement; charts: [HTMLElement, SeriesChart][] } {
  const charts =
    trial.binned === null
      ? []
      : panels.flatMap((panel): [HTMLElement, SeriesChart][] => {
          const chart = chartOf(trial, panel);
          if (chart === undefined) return [];
          const element = make('div', [], 'chart');
          element.tabIndex = 0;
          element.setAttribute('role', 'img');
          element.setAttribute('aria-label', `${chart.title}: ${chart.y.label} over ${chart.x.label}`);
          return [[element, chart]];
        });
  const readings = trial.readings === null ? [] : shared.readings[trial.readings]!;
  const panel = make(
    'div',
    [
      make('h3', [trial.title]),
      make('p', [
        make('b', [trial.verdict], trial.status),
        trial.reasons.length === 0 ? '' : `: ${trial.reasons.join('; ')}`,
      ]),
      make(
        'div',
        charts.map(([element, { title }]) => make('div', [make('h4', [title.split(', ')[0]!]), element])),
        'panels',
      ),
      make(
        'p',
        [
          trial.binned === null
            ? 'It was never measured: there are no series.'
            : `Grey: start-up, which is not measured, or phases of the link; ${
                trial.stops.length === 0 ? '' : 'dark grey: the link stood still although packets waited; '
              }coloured: stalls. Point at them for more.`,
        ],
        'note',
      ),
      make(
        'dl',
        trial.facts.flatMap(([name, value]) => [make('dt', [name]), make('dd', [value])]),
      ),
      ...(readings.length === 0
        ? []
        : [folded('Readings of the link', tableOf(['reading', 'asked', 'measured', 'verdict'], readings))]),
      ...(trial.metrics === null
        ? []
        : [
            folded(
              'Every metric',
              tableOf(
                ['metric', 'value'],
                trial.metrics.map((value, i) => [shared.metrics[i]!, value]),
              ),
            ),
          ]),
    ],
    'trial',
  );
  return { panel, charts };
}

function readLines(): Lines {
  const [shared, ...trials] = document.querySelector('#trial-data')!.textContent!.trim().split('\n');
  const places = new Map<string, number>();
  for (const [i, line] of trials.entries()) {
    const name = /^\{"name":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]; // avoids parsing the whole line
    if (name !== undefined) places.set(JSON.parse(name) as string, i);
  }
  return { shared: JSON.parse(shared!) as SharedData, trials, places };
}

export function installTrials(): void {
  const table = document.querySelector<HTMLTableElement>('#trial-table');
  if (table === null) return;
  let lines: Lines | undefined;
  let open: { row: HTMLTableRowElement; detail: HTMLTableRowElement } | undefined;
  const close = () => {
    open?.detail.remove();
    open?.row.querySelector('a')?.setAttribute('aria-expanded', 'false');
    open = undefined;
  };
  const show = (row: HTMLTableRowElement) => {
    close();
    lines ??= readLines();
    const place = lines.places.get(row.id.slice('trial-'.length));
    if (place === undefined) return;
    const { panel, charts } = panelOf(JSON.parse(lines.trials[place]!) as TrialData, lines.shared);
    const cell = make('td', [panel]);
    cell.colSpan = row.cells.length;
    const detail = make('tr', [cell], 'detail');
    row.after(detail);
    row.querySelector('a')!.setAttribute('aria-expanded', 'true');
    open = { row, detail };
    for (const [element, chart] of charts) drawChart(element, chart);
  };
  const rowOf = (target: EventTarget | null) => {
    const row = (target as HTMLElement | null)?.closest('tr') ?? null;
    return row?.id.startsWith('trial-') ? row : null;
  };
  table.addEventListener('click', event => {
    const row = (event.target as HTMLElement).closest('a') === null ? null : rowOf(event.target);
    if (row === null) return;
    event.preventDefault();
    if (open?.row === row) close();
    else show(row);
  });
  table.addEventListener('keydown', event => {
    const row = rowOf(event.target) ?? open?.row;
    if (row === undefined) return;
    if (event.key === 'Escape') {
      close();
      return row.querySelector('a')!.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const rows = [...table.querySelectorAll<HTMLTableRowElement>('tr[id^="trial-"]')];
    const next = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next === undefined) return;
    event.preventDefault();
    if (open !== undefined) show(next); // an open trial moves to the next row
    const link = next.querySelector('a')!;
    link.focus({ preventScroll: true });
    next.scrollIntoView({ block: open === undefined ? 'nearest' : 'start' });
  });
  const fromAddress = () => {
    const row = rowOf(document.getElementById(decodeURIComponent(location.hash.slice(1))));
    if (row !== null) show(row);
  };
  addEventListener('hashchange', fromAddress);
  fromAddress();
}
