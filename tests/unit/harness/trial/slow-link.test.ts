import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Link, plainLink } from '../../../../core/vocabulary/link.ts';
import type { QueueDelayRecord } from '../../../../harness/record/series/queue-delay.ts';
import { slowLinkFindings } from '../../../../harness/trial/slow-link.ts';

const window = { startMs: 1000, endMs: 3000 };
const link = plainLink(100e6, { unit: 'packets', value: 1000 }, ['bulk']);

/** Returns `n` bins of 100 ms in which packets waited for `delayMs` and left at the rate `bps`. */
function bins(bps: number, delayMs: number, change: Partial<QueueDelayRecord> = {}, n = 20): QueueDelayRecord[] {
  const sentBytes = (bps * 0.1) / 8;
  return Array.from({ length: n }, (_, k) => ({
    application: 'bulk',
    timeMs: window.startMs + 50 + k * 100,
    protocol: 6,
    sentPackets: sentBytes / 1250,
    sentBytes,
    markedPackets: 0,
    droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
    delayMedianMs: delayMs,
    delayMaxMs: delayMs,
    ...change,
  }));
}
const notes = (delays: QueueDelayRecord[], on: Link = link) =>
  slowLinkFindings(delays, on, window).map(({ message, status }) => `${status}: ${message}`);

test('a link that carries less than its rate although packets wait is noted, with the share', () => {
  assert.deepEqual(notes(bins(94e6, 300)), [
    'note: the link carried 94.0 % of its rate while packets waited for it: the machine held up what forms it',
  ]);
});

test('no note of a link that keeps its rate, has nothing to carry, or was watched briefly', () => {
  assert.deepEqual(notes(bins(98e6, 300)), []);
  assert.deepEqual(notes(bins(30e6, 2)), [], 'a flow that does not fill it');
  assert.deepEqual(notes(bins(94e6, 300, {}, 9)), []);
  assert.deepEqual(notes([]), []);
});

test('a stretch that is cut off by the end of the window does not count', () => {
  const cut = bins(100e6, 300).map(bin => ({ ...bin, timeMs: bin.timeMs + 40 }));
  cut.at(-1)!.sentBytes /= 2;
  assert.deepEqual(notes(cut), []);
});

test('what a random loss took had its time on the link; several flows share it', () => {
  const lost = { droppedPackets: { overflow: 9999, 'random-loss': 50, aqm: 0, other: 0 } };
  assert.deepEqual(notes(bins(95e6, 300, lost)), []);
  assert.deepEqual(notes([...bins(60e6, 300), ...bins(40e6, 0.1, { application: 'call', protocol: 17 })]), []);
});

test('the rate is that of the schedule; a trace has none; each direction has its own', () => {
  const halved = { ...link, schedule: [{ atMs: 1000, rateBps: 50e6, rampMs: 0 }] };
  assert.deepEqual(notes([...bins(100e6, 300, {}, 10), ...bins(50e6, 300).slice(10)], halved), []);
  const { rateBps: _, paths: __, bytes: ___, backend: ____, up: _____, ...same } = link;
  const up: Link = { ...link, up: { ...same, rateBps: 10e6 } };
  const both = [...bins(100e6, 300), ...bins(9e6, 300, { direction: 'up' })];
  assert.deepEqual(notes(both, up), [
    'note: the link from the clients carried 90.0 % of its rate while packets waited for it: the machine held up what forms it',
  ]);
});
