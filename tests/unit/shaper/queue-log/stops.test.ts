/** Stops of a link, on hand-made records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingOf, stopsOf } from '../../../../shaper/queue-log/stops.ts';

type Row = [event: 'enqueue' | 'dequeue' | 'drop', timeMs: number, queuePackets: number, lengthBytes?: number];

const steady = { rateBps: 8e6, schedule: [], trace: null };
/** Window from 1 s to 2 s on the log's clock. */
const span = { unixOffsetMs: 5000, fromMs: 6000, toMs: 7000 };
/** Packets of 1000 bytes, which take a millisecond at 8 Mbit/s. */
const records = (rows: readonly Row[]) =>
  rows.map(([event, timeMs, queuePackets, lengthBytes = 1000]) => ({
    event,
    timeNs: timeMs * 1e6,
    queuePackets,
    lengthBytes,
  }));
const found = (rows: readonly Row[], link: Parameters<typeof stopsOf>[1] = steady) =>
  stopsOf(records(rows), link, span)!.map(({ timeMs, lengthMs }) => [
    Number(timeMs.toFixed(3)),
    Number(lengthMs.toFixed(3)),
  ]);

test('a link that sends one packet after the other never stood still', () => {
  const train: Row[] = [['enqueue', 1100, 1]];
  for (let k = 1; k <= 50; k++) train.push(['enqueue', 1100 + k, 2], ['dequeue', 1100 + k, 1]);
  assert.deepEqual(found(train), []);
});

test('what it took longer than the own time of a packet, it stood still', () => {
  assert.deepEqual(
    found([
      ['enqueue', 1100, 1],
      ['enqueue', 1100.5, 2],
      ['dequeue', 1101, 1],
      ['enqueue', 1104, 2], // arrivals change nothing
      ['dequeue', 1114, 1],
      ['dequeue', 1115, 0],
    ]),
    [[6102, 12]],
  );
});

test('an empty queue is no stop, the packet that ends it may meet one', () => {
  assert.deepEqual(
    found([
      ['enqueue', 1100, 1],
      ['dequeue', 1101, 0],
      ['enqueue', 1500, 1],
      ['dequeue', 1501, 0],
      ['enqueue', 1600, 1],
      ['drop', 1600.5, 0], // the AQM dropped the only packet
      ['enqueue', 1700, 1],
      ['dequeue', 1706, 0],
    ]),
    [[6701, 5]],
  );
});

test('a wake-up that is a little late is no stop, and neither is a packet that a bucket of tokens lets through at once', () => {
  assert.deepEqual(
    found([
      ['enqueue', 1100, 1],
      ['dequeue', 1100, 0],
      ['enqueue', 1200, 1],
      ['dequeue', 1201.9, 0],
    ]),
    [],
  );
});

test('a slow packet on a slow link takes its time', () => {
  assert.deepEqual(
    found(
      [
        ['enqueue', 1100, 1],
        ['dequeue', 1225, 0],
      ],
      { ...steady, rateBps: 64_000 },
    ),
    [],
  );
});

test('the rate is that of the schedule, which begins with the window', () => {
  // 8 Mbit/s, 0.8 from the middle of the window on: 10 ms a packet
  const link = { ...steady, schedule: [{ atMs: 500, rateBps: 0.8e6, rampMs: 0 }] };
  assert.deepEqual(
    found(
      [
        ['enqueue', 1600, 2],
        ['dequeue', 1610, 1],
        ['dequeue', 1640, 0],
      ],
      link,
    ),
    [[6620, 20]],
  );
});

test('stops outside of the window do not count; one that reaches into it does', () => {
  const stop = (atMs: number): Row[] => [
    ['enqueue', atMs, 1],
    ['dequeue', atMs + 11, 0],
  ];
  assert.deepEqual(found([...stop(900), ...stop(995), ...stop(1995), ...stop(2100)]), [
    [5996, 10],
    [6996, 10],
  ]);
});

test('a link that follows a trace has no rate to hold it against', () => {
  assert.equal(stopsOf(records([['enqueue', 1100, 1]]), { ...steady, trace: 'a.trace' }, span), null);
});

test('a reading has their number, the longest and the sum', () => {
  assert.deepEqual(
    readingOf([
      { timeMs: 1, lengthMs: 2 },
      { timeMs: 9, lengthMs: 12.5 },
    ]),
    { count: 2, longestMs: 12.5, sumMs: 14.5 },
  );
  assert.deepEqual(readingOf([]), { count: 0, longestMs: 0, sumMs: 0 });
});

test('at a link with ticks, a small packet may wait for the opportunity of a full one, and for two ticks', () => {
  // 1514 bytes take 1.514 ms
  const after = (ms: number) =>
    records([
      ['enqueue', 1100, 1, 100],
      ['dequeue', 1100 + ms, 0, 100],
    ]);
  const stops = (ms: number) =>
    stopsOf(after(ms), steady, { ...span, source: 'capture' })!.map(({ lengthMs }) => lengthMs);
  assert.deepEqual(stops(4.4), []);
  assert.ok(Math.abs(stops(13.514)[0]! - 10) < 1e-6);
  assert.equal(stopsOf(after(4.4), steady, span)!.length, 1);
});

test('behind a full packet a shaper of the kernel holds a small one for the time of the full one', () => {
  // 2000 bytes leave at once and pay for 2 ms; the packet behind them has 100 bytes
  const after = (ms: number) =>
    records([
      ['enqueue', 1100, 1, 2000],
      ['enqueue', 1100, 2, 100],
      ['enqueue', 1100, 3, 2000],
      ['dequeue', 1100, 2, 2000],
      ['dequeue', 1100 + ms, 1, 100],
      ['dequeue', 1100.1 + ms, 0, 2000],
    ]);
  const stops = (ms: number, source?: 'kernel') =>
    stopsOf(after(ms), steady, { ...span, ...(source === undefined ? {} : { source }) })!.map(({ lengthMs }) =>
      Number(lengthMs.toFixed(3)),
    );
  assert.deepEqual(stops(2, 'kernel'), []);
  assert.deepEqual(stops(5, 'kernel'), [3]);
  assert.deepEqual(stops(2), [1.9], 'a link that sends one packet after the other has stood still then');
});
