import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import WebSocket from 'ws';
import type { DemoState, DemoValues } from '../../../../client/demo/wire.ts';
import { until, within } from '../../../../core/system/deadline.ts';
import type { Change } from '../../../../harness/demo/messages.ts';
import { PageServer } from '../../../../harness/demo/page-server.ts';

const server = await PageServer.listen();
after(() => server.close());

const live = (query = new URL(server.url).search) =>
  new WebSocket(`${server.url.replace(/^http/, 'ws').split('?')[0]}live${query}`);
const get = (path: string) => fetch(new URL(path, server.url));
const state: DemoState = {
  type: 'state',
  counted: '',
  rule: [],
  link: 'a link',
  flood: 'no flood',
  controls: [],
  ready: { value: 'cubic', label: 'Start the flood: CUBIC', obstacle: null },
  changing: false,
  refusal: null,
};
const values = (timeMs: number): DemoValues => ({
  type: 'values',
  timeMs,
  sentence: '',
  unharmedSentence: '',
  rating: 'good',
  framesPerSecond: 60,
  unharmedFramesPerSecond: 60,
  subjectBps: 1,
  othersBps: null,
  rttMs: 1,
  queuePackets: 0,
  queueMs: 0,
  longestGapMs: 17,
  stallMs: 200,
  stalls: { count: 0, totalMs: 0 },
  freezes: { count: 0, totalMs: 0 },
  interruptions: null,
  hostNotice: null,
});

test('it is on the loopback, and serves the page, its scripts and the library, and nothing else', async () => {
  assert.equal(new URL(server.url).hostname, '127.0.0.1');
  for (const [path, type, part] of [
    ['/', 'text/html', /id="sentence"/],
    ['/demo/style.css', 'text/css', /--media/],
    ['/demo/controls.ts', 'text/javascript', /new History\(\)/],
    ['/demo/chart.ts', 'text/javascript', /class LiveChart/],
    ['/demo/panel.ts', 'text/javascript', /class Panel/],
    ['/demo/history.ts', 'text/javascript', /class History/],
    ['/uplot.js', 'text/javascript', /uPlot/],
    ['/uplot.css', 'text/css', /uplot/],
  ] as const) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    assert.ok(response.headers.get('content-type')?.startsWith(type), path);
    assert.match(await response.text(), part);
  }
  for (const path of ['/demo/wire.ts', '/../package.json', '/collector.ts'])
    assert.equal((await get(path)).status, 404, path);
});

test('without the token nobody is let in', async () => {
  for (const query of ['', '?token=', '?token=wrong']) {
    const socket = live(query);
    const [error] = (await within(once(socket, 'error'), 30_000, 'the refusal')) as [Error];
    assert.match(error.message, /401/);
  }
});

test('who comes late is told how things stand, and the last minute; changes are handed on', async () => {
  server.tell(state);
  for (let k = 0; k < 300; k++) server.tell(values(k));
  const changes: Change[] = [];
  server.onChange = change => changes.push(change);
  const heard: { type: string; timeMs?: number }[] = [];
  const socket = live();
  socket.on('message', data => heard.push(JSON.parse(String(data))));
  await until(() => (heard.length === 241 ? true : undefined), 30_000, 'the last minute');
  assert.deepEqual([heard[0]!.type, heard[1]!.timeMs, heard.at(-1)!.timeMs], ['state', 60, 299]);
  socket.send(JSON.stringify({ type: 'set', setting: 'rate', value: '5mbit' }));
  await until(() => changes[0], 30_000, 'the change');
  assert.deepEqual(changes, [{ type: 'set', setting: 'rate', value: 5e6 }]);
  socket.close();
});

test('nonsense ends the connection with the reason, and the server stays', async () => {
  for (const nonsense of ['{', '{"type":"set","setting":"rate","value":"-5mbit"}', 'x'.repeat(5000)]) {
    const socket = live();
    await once(socket, 'open');
    socket.send(nonsense);
    const [code] = (await within(once(socket, 'close'), 30_000, 'the end of the connection')) as [number];
    assert.ok(code === 1008 || code === 1009, String(code));
  }
  assert.equal((await get('/')).status, 200);
});
