import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cause } from '../../../core/vocabulary/stalls.ts';
import type { AttributedGap } from '../../../harness/analysis/derive/attribution/attribute.ts';
import { isKept, linesOf, type Outcome, tallyOf, totalLine } from '../../bench/qoe/tally.ts';

const stall = (startMs: number, lengthMs: number, cause: Cause): AttributedGap => ({
  startMs,
  endMs: startMs + lengthMs,
  lengthMs,
  cause,
  evidence: `${cause} at ${startMs} ms`,
});

/** A fault of 100 ms each second, and the stall that each made. */
const trialOf = (made: readonly (Cause | 'none')[]): Outcome => ({
  spans: made.map((_, i) => ({ fromMs: 1000 * i, toMs: 1000 * i + 100 })),
  stalls: made.flatMap((cause, i) => (cause === 'none' ? [] : [stall(1000 * i + 50, 300, cause)])),
});

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

test('a kind is kept at 95 % of its stalls and missed below', () => {
  const of = (right: number, wrong: number) =>
    tallyOf(
      'an outage',
      ['outage'],
      [trialOf([...times(right, 'outage' as const), ...times(wrong, 'queue' as const)])],
    );
  assert.deepEqual([of(19, 1), of(18, 1), of(8, 0)].map(isKept), [true, false, true]);
});

test('faults that made no stall do not count, and a kind of which none did is missed', () => {
  const some = tallyOf('a pause', ['encoder'], [trialOf(['encoder', 'none']), trialOf(['none', 'none'])]);
  assert.deepEqual([some.injected, some.stalling, some.stalls, isKept(some)], [4, 1, 1, true]);
  const none = tallyOf('a pause', ['encoder'], [trialOf(['none'])]);
  assert.equal(isKept(none), false);
  assert.deepEqual(linesOf(none), ['a pause | encoder | 0 of 1 | - | - | missed']);
});

test("a stall is its fault's up to half a second after, the longest one is judged, and once", () => {
  const spans = [
    { fromMs: 1000, toMs: 1100 },
    { fromMs: 1200, toMs: 1300 },
    { fromMs: 5000, toMs: 5100 },
    { fromMs: 7000, toMs: 7100 },
  ];
  const stalls = [
    stall(1150, 250, 'queue'),
    stall(1500, 400, 'outage'),
    stall(5599, 300, 'outage'),
    stall(7600, 300, 'queue'),
  ];
  const { injected, stalling, stalls: judged, wrong } = tallyOf('an outage', ['outage'], [{ spans, stalls }]);
  assert.deepEqual([injected, stalling, judged, wrong], [4, 3, 2, []]);
});

test('each kind has its line with the evidence of what went wrong, and all together one that names what missed', () => {
  const kinds = [
    tallyOf('an outage', ['outage'], [trialOf(times(8, 'outage'))]),
    tallyOf('a hog', ['sender-host', 'receiver-host'], [trialOf(['sender-host', 'receiver-host', 'queue', 'none'])]),
  ];
  assert.deepEqual(kinds.flatMap(linesOf), [
    'an outage | outage | 8 of 8 | 8 of 8 | - | kept',
    'a hog | sender-host or receiver-host | 3 of 4 | 2 of 3 | queue | missed',
    '    queue: queue at 2050 ms',
  ]);
  assert.equal(
    totalLine(kinds),
    'in all: 11 of 12 made a stall; 10 of 11 stalls put down rightly, 90.9 % (limit 95 % of each kind, missed by: a hog)',
  );
  assert.equal(
    totalLine(kinds.slice(0, 1)),
    'in all: 8 of 8 made a stall; 8 of 8 stalls put down rightly, 100.0 % (limit 95 % of each kind)',
  );
});
