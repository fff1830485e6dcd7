import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { type Course, nextPacketMs } from '../../../../../harness/services/udp-flow/course.ts';
import { plugin } from '../../../../../harness/services/udp-flow/index.ts';

/** Returns the times of the packets from the first one at 0 until `untilMs`. */
function times(course: Course, untilMs: number): number[] {
  const all: number[] = [];
  for (let timeMs = 0; timeMs < untilMs; timeMs = nextPacketMs(course, timeMs)) all.push(timeMs);
  return all;
}

test('at one rate the packets are even', () => {
  // 1000 bytes at 80 kbit/s: one in 100 ms
  assert.deepEqual(times({ rateBps: 80e3, packetBytes: 1000, changes: [] }, 350), [0, 100, 200, 300]);
});

test('a change holds from its time on, also for a packet that is being counted', () => {
  const changes = [
    { afterMs: 150, rateBps: 160e3 },
    { afterMs: 300, rateBps: 80e3 },
  ];
  // at 150 ms half of the third packet is carried; the other half takes 25 ms
  assert.deepEqual(times({ rateBps: 80e3, packetBytes: 1000, changes }, 500), [0, 100, 175, 225, 275, 350, 450]);
});

test('a rate of 0 is a silence, for a time or for good', () => {
  const silence = [
    { afterMs: 100, rateBps: 0 },
    { afterMs: 1000, rateBps: 80e3 },
  ];
  assert.deepEqual(times({ rateBps: 80e3, packetBytes: 1000, changes: silence }, 1300), [0, 100, 1100, 1200]);
  assert.deepEqual(times({ rateBps: 80e3, packetBytes: 1000, changes: silence.slice(0, 1) }, Infinity), [0, 100]);
});

test('several changes within one packet all count', () => {
  const changes = [
    { afterMs: 10, rateBps: 0 },
    { afterMs: 60, rateBps: 40e3 },
    { afterMs: 80, rateBps: 8e6 },
  ];
  // 800 bits until 10 ms, none until 60, 800 until 80, then 6400 at 8 Mbit/s: 0.8 ms
  assert.equal(nextPacketMs({ rateBps: 80e3, packetBytes: 1000, changes }, 0), 80.8);
});

test('changes that cannot be are refused in one line', () => {
  const refused = (changes: unknown, message: RegExp) =>
    assert.throws(() => check(plugin.params, { changes }, 'udp-flow'), { code: 'bad-definition', message });
  refused([{ after: '2s', rate: '1bit' }], /changes\.0\.rate: must be 0 or at least 10kbit/);
  refused(
    [
      { after: '2s', rate: '1mbit' },
      { after: '2s', rate: '2mbit' },
    ],
    /changes\.1\.after: is not after the change before it; write the changes in the order of their times/,
  );
  refused([{ after: '2s' }], /changes\.0\.rate is missing/);
  refused([{ at: '2s', rate: '1mbit' }], /changes\.0/);
});
