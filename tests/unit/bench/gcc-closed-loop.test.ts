import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { summariseValues } from '../../../harness/analysis/summary/values.ts';
import alone from '../../../harness/studies/experiment/shipped/gcc-and-chromium.ts';
import besideFloods from '../../../harness/studies/experiment/shipped/gcc-beside-floods.ts';
import { compare, type Side } from '../../bench/gcc/closed-loop.ts';
import { type Course, rampUpMs, stepTaken } from '../../bench/gcc/course.ts';

type Figures = {
  bps: number;
  used?: number;
  queueMs?: number;
  floodBps?: number;
  trials: number;
  course?: Partial<Course>;
};

function side({ bps, used = 0.9, queueMs = 50, floodBps, trials, course = {} }: Figures): Side {
  const values = {
    goodput: bps,
    'link-utilisation': used,
    'queue-delay-p95': queueMs,
    'queue-loss': 0.0123,
  };
  const over = (value: number | undefined) => summariseValues(Array.from({ length: trials }, () => value));
  const metrics = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, over(value)]));
  const together = { goodput: over(floodBps) };
  return {
    condition: { title: 'Media server', trials, metrics, together } as unknown as ConditionSummary,
    courses: Array.from({ length: trials }, () => ({ rampUpMs: 1600, rateBps: [1e6, 2e6, 3e6], steps: [], ...course })),
  };
}

test('a pair passes where rate, use and queue are within their limits', () => {
  const chromium = side({ bps: 1e6, trials: 5 });
  const passes = (figures: Partial<Figures>) =>
    compare([side({ bps: 1e6, trials: 5, ...figures }), chromium], [], 5).passed;
  assert.equal(passes({}), true);
  assert.equal(passes({ bps: 0.84e6 }), false);
  assert.equal(passes({ used: 0.84 }), false);
  assert.equal(passes({ queueMs: 101 }), false);
  assert.equal(
    passes({ floodBps: 1e6, bps: 0.75e6, used: 0.5, queueMs: 300 }),
    true,
    'beside a flood only the rate has a limit',
  );
});

test('no pair passes with fewer trials of either than were asked for', () => {
  for (const [live, call] of [
    [1, 5],
    [5, 4],
    [1, 1],
  ] as const) {
    for (const steps of [[], [1e6]]) {
      const course = { steps: steps.map(() => ({ orderMs: 1000, fullMs: 1000 })) };
      const { passed, words } = compare(
        [side({ bps: 1e6, trials: live, course }), side({ bps: 1e6, trials: call, course })],
        steps,
        5,
      );
      assert.equal(passed, false);
      assert.match(words, new RegExp(`n = ${live} / ${call} \\(limit 5\\); MISSED`));
    }
  }
  assert.equal(compare([side({ bps: 1e6, trials: 0 }), side({ bps: 1e6, trials: 5 })], [], 5).passed, false);
});

test('beside the limits stand percentiles, ramp-up, loss, and each step with the trials that came through it', () => {
  const live = side({
    bps: 1e6,
    used: 0.5,
    trials: 2,
    course: {
      steps: [
        { orderMs: 2300, fullMs: null },
        { orderMs: 1000, fullMs: 9000 },
      ],
    },
  });
  const { passed, words } = compare(
    [
      live,
      side({
        bps: 2e6,
        trials: 2,
        course: {
          steps: [
            { orderMs: 1000, fullMs: 4000 },
            { orderMs: 1000, fullMs: null },
          ],
        },
      }),
    ],
    [1e6, 4e6],
    2,
  );
  assert.equal(passed, true, 'a pair with steps has no limit');
  assert.match(words, /1\.00 \[1\.00, 1\.00\] \/ 1\.00 .*; 2\.00 .*; 3\.00 .* Mbit\/s/);
  assert.match(words, /link full \(85 %\) after 1\.6 \[1\.6, 1\.6\] \/ 1\.6 .* s; lost at the queue 1\.23 /);
  assert.match(
    words,
    /step to 1 Mbit\/s: queue below 100 ms after 2\.3 \[2\.3, 2\.3\] \/ 1\.0 \[1\.0, 1\.0\] s; link full at that after none of 2 \/ 4\.0 /,
  );
  assert.match(words, /step to 4 Mbit\/s: .* after 9\.0 \[9\.0, 9\.0\] \/ none of 2 s/);
});

test('ramp-up ends with the first second that holds enough packets', () => {
  const slow = Array.from({ length: 10 }, (_, k) => k * 200);
  const fast = Array.from({ length: 100 }, (_, k) => 2000 + k * 100);
  assert.equal(rampUpMs([...slow, ...fast], 10), 2900);
  assert.equal(rampUpMs([...slow, ...fast], 11), null);
  assert.equal(rampUpMs(slow, 3), 1000, 'never less than the second itself');
  assert.equal(rampUpMs([], 1), null);
});

test('a step is over when a whole second fills the link with a short queue', () => {
  const bins = (from: number, to: number, bps: number, delayMedianMs: number) =>
    Array.from({ length: (to - from) / 100 }, (_, k) => ({
      timeMs: from + 50 + k * 100,
      sentBytes: bps / 80,
      delayMedianMs,
    }));
  const draining = bins(0, 3000, 1e6, 800);
  const taken = (after: ReturnType<typeof bins>, lastMs = 10_000) => stepTaken([...draining, ...after], 1e6, lastMs);
  assert.deepEqual(
    taken(bins(3000, 6000, 0.9e6, 20)),
    { orderMs: 3600, fullMs: 3600 },
    'once most of the second has a short queue',
  );
  assert.deepEqual(taken([...bins(3000, 6000, 0.5e6, 20), ...bins(6000, 9000, 0.9e6, 20)]), {
    orderMs: 3600,
    fullMs: 6900,
  });
  assert.deepEqual(taken(bins(3000, 6000, 0.5e6, 20)), { orderMs: 3600, fullMs: null });
  assert.deepEqual(
    taken(bins(3000, 6000, 0.9e6, 20), 3500),
    { orderMs: null, fullMs: null },
    'the next step is due before',
  );
  assert.deepEqual(stepTaken([], 1e6, 10_000), { orderMs: null, fullMs: null });
});

test('both senders of a study have every link, flood and parameter alike, and the default runs are at most 72 trials', () => {
  let trials = 0;
  for (const definition of [alone, besideFloods]) {
    const conditions = Object.entries(definition.conditions!);
    for (const [id, condition] of conditions) {
      const other =
        definition.conditions![id.replace(/^(live|call)-/, found => (found === 'live-' ? 'call-' : 'live-'))]!;
      assert.deepEqual([condition.link, condition.flood], [other.link, other.flood], id);
      const { id: service, ...parameters } = condition.service ?? definition.service!;
      const { id: otherService, ...otherParameters } = other.service ?? definition.service!;
      assert.deepEqual([service, otherService].sort(), ['chromium-call', 'live-clip'], id);
      assert.deepEqual(parameters, otherParameters, id);
    }
    trials += conditions.length * definition.run!.repeats!;
  }
  assert.ok(trials <= 72);
});
