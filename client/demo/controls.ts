/**
 * Page of the demonstration, with the controls and the charts. It shows the harness's messages and sends clicks to the
 * harness. URL: ?token=TOKEN, the token that the harness accepts.
 */
import { type ChartOptions, LiveChart } from './chart.ts';
import { History } from './history.ts';
import { Panel } from './panel.ts';
import type { Choice, Count, DemoMessage, DemoState, DemoValues } from './wire.ts';

const element = (id: string) => document.getElementById(id)!;
const megabits = (bps: number | null) => (bps === null ? null : bps / 1e6);
const rate = (value: number) => `${value.toFixed(1)} Mbit/s`;
const ms = (value: number) => `${value.toFixed(value === 0 || value >= 100 ? 0 : value < 1 ? 2 : 1)} ms`;

const charts: readonly ChartOptions[] = [
  {
    title: 'Bit rate',
    wide: true,
    least: 1,
    curves: [
      {
        label: 'the stream',
        colour: '--media',
        value: v => megabits(v.subjectBps),
        text: value => `stream ${rate(value)}`,
      },
      {
        label: 'the flood',
        colour: '--flood',
        value: v => megabits(v.othersBps),
        text: value => `flood ${rate(value)}`,
      },
    ],
  },
  {
    title: 'Frames per second',
    wide: true,
    least: 30,
    curves: [
      {
        label: 'past the link',
        colour: '--soft',
        value: v => v.unharmedFramesPerSecond,
        text: value => `past ${value.toFixed(1)}`,
      },
      {
        label: 'through the link',
        colour: '--media',
        value: v => v.framesPerSecond,
        text: value => `through ${value.toFixed(1)}`,
      },
    ],
  },
  {
    title: 'Round trip',
    least: 10,
    curves: [{ label: 'round trip', colour: '--media', value: v => v.rttMs, text: ms }],
  },
  {
    title: 'Queue',
    least: 10,
    curves: [
      { label: 'packets', colour: '--flood', value: v => v.queuePackets, text: value => `${value} packets` },
      { label: 'time to drain it', colour: '--soft', value: v => v.queueMs, text: ms, second: true },
    ],
  },
  {
    title: 'Longest wait for a frame',
    least: 250,
    limit: v => v.stallMs,
    curves: [
      { label: 'longest wait', colour: '--bad', value: v => v.longestGapMs, text: value => `${value.toFixed(0)} ms` },
    ],
  },
];

const history = new History();
const drawn = charts.map(options => new LiveChart(element('charts'), options, history));
let socket: WebSocket | undefined;
const panel = new Panel(element('controls'), message => socket?.send(JSON.stringify(message)));
let refusal: string | null = null;

function showCount(id: string, { count, totalMs }: Count): void {
  const shown = element(id);
  shown.textContent = count === 0 ? '0' : `${count} · ${(totalMs / 1000).toFixed(1)} s`;
  shown.classList.toggle('some', count > 0);
}

function showNotice(text: string | null): void {
  const notice = element('notice');
  notice.hidden = text === null;
  if (text !== null) notice.textContent = text;
}

function showValues(values: DemoValues): void {
  history.add(values);
  for (const chart of drawn) chart.update();
  element('sentence').textContent = values.sentence;
  element('beside').textContent =
    `Beside it, past the link: ${values.unharmedSentence.charAt(0).toLowerCase()}${values.unharmedSentence.slice(1)}`;
  document.body.dataset['rating'] = values.rating;
  showCount('stalls', values.stalls);
  showCount('freezes', values.freezes);
  element('voice').hidden = values.interruptions === null;
  if (values.interruptions !== null) showCount('interruptions', values.interruptions);
  showNotice(refusal ?? values.hostNotice);
}

/** Value that the flood's button selects at the next click. Null before the first message with the state. */
let ready: Choice | null = null;
const switchButton = element('switch') as HTMLButtonElement;

switchButton.addEventListener('click', () => {
  if (ready !== null) socket?.send(JSON.stringify({ type: 'set', setting: 'flood', value: ready.value }));
});

function showSwitch(next: Choice, isChanging: boolean): void {
  ready = next;
  switchButton.hidden = false;
  switchButton.textContent = next.label;
  switchButton.title = next.obstacle ?? '';
  switchButton.disabled = isChanging || next.obstacle !== null;
}

function showState(state: DemoState): void {
  refusal = state.refusal;
  showNotice(refusal);
  panel.show(state.controls, state.changing);
  showSwitch(state.ready, state.changing);
  element('link').textContent = state.link;
  element('flood').textContent = state.flood;
  element('counted').textContent = state.counted;
  element('rule').replaceChildren(
    ...state.rule.map(textContent => Object.assign(document.createElement('p'), { textContent })),
  );
}

function connect(): void {
  socket = new WebSocket(`ws://${location.host}/live${location.search}`);
  socket.addEventListener('message', event => {
    const message = JSON.parse(event.data as string) as DemoMessage;
    if (message.type === 'state') showState(message);
    else showValues(message);
  });
  socket.addEventListener('close', () => {
    element('sentence').textContent = 'The demonstration has ended';
  });
}

/** Button that switches between the light and the dark theme. Before the first click, the theme is the system's. */
const themeButton = element('theme');
const isDark = () =>
  (document.documentElement.dataset['theme'] ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function recolour(): void {
  themeButton.textContent = isDark() ? 'Light' : 'Dark';
  for (const chart of drawn) chart.redraw();
}

themeButton.addEventListener('click', () => {
  document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark';
  recolour();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
recolour();
connect();
