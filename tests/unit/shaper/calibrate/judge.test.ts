import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReading, summariseReadings } from '../../../../shaper/calibrate/format.ts';
import { disturbance, inLightOf, judge } from '../../../../shaper/calibrate/judge.ts';
import {
  gravest,
  isGraver,
  type Reading,
  type ReadingVerdict,
  reading,
  skipped,
  told,
} from '../../../../shaper/calibrate/readings.ts';

const question = {
  id: 'rate',
  step: 'overload',
  title: 'rate',
  unit: 'bps',
  asked: 40e6,
  low: 39.8e6,
  high: 40.2e6,
} as const;
const read = (verdict: ReadingVerdict, note: string | null = null): Reading => ({
  ...reading(question, 36e6, note),
  verdict,
});
const quiet = { maxUs: 300 };
const punctual = { starved: false, lateMaxMs: 0.2, errors: 0 };

test('a value inside the tolerance is ok, its ends included; anything else, and nothing, is refused', () => {
  for (const [value, verdict] of [
    [39.8e6, 'ok'],
    [40.2e6, 'ok'],
    [39.79e6, 'refused'],
    [40.21e6, 'refused'],
    [null, 'refused'],
    [NaN, 'refused'],
  ] as const) {
    assert.equal(reading(question, value).verdict, verdict, String(value));
  }
  assert.deepEqual(reading(question, 40e6), {
    id: 'rate',
    step: 'overload',
    title: 'rate',
    unit: 'bps',
    asked: 40e6,
    measured: 40e6,
    tolerance: { low: 39.8e6, high: 40.2e6 },
    verdict: 'ok',
    note: null,
    certain: false,
  });
  assert.deepEqual(
    [skipped(question, 'too fast').verdict, skipped(question, 'too fast').note],
    ['skipped', 'too fast'],
  );
});

test('verdicts have an order', () => {
  assert.equal(gravest([]), 'ok');
  assert.equal(gravest([read('ok'), read('repeat'), read('degraded')]), 'repeat');
  assert.equal(gravest([read('repeat'), read('refused'), read('skipped')]), 'refused');
  assert.deepEqual(
    [isGraver('repeat', 'degraded'), isGraver('ok', 'ok'), isGraver('ok', 'skipped')],
    [true, false, false],
  );
});

test('a late wake-up of the machine disturbs: 5 ms, or 1 ms where delays are read', () => {
  assert.equal(disturbance('overload', quiet, [punctual]), null);
  assert.equal(disturbance('overload', { ...quiet, maxUs: 4900 }, [punctual]), null);
  assert.equal(disturbance('overload', { ...quiet, maxUs: 58_200 }, [punctual]), 'the machine was held up for 58.2 ms');
  assert.equal(disturbance('delay', { ...quiet, maxUs: 1500 }, [punctual]), 'the machine was held up for 1.5 ms');
});

test('so does a sender that was late or could not send', () => {
  assert.equal(
    disturbance('overload', quiet, [punctual, { starved: true, lateMaxMs: 12.34, errors: 0 }]),
    'the sender was 12.3 ms late',
  );
  assert.equal(
    disturbance('loss', quiet, [{ starved: true, lateMaxMs: 0.1, errors: 3 }]),
    "the sender's host refused 3 packets",
  );
});

test("what fails in a disturbed step is to be repeated, and never the shaper's fault", () => {
  const before = [read('ok'), read('refused', 'note'), read('degraded'), read('skipped'), read('repeat')];
  assert.deepEqual(inLightOf(null, before), before);
  const after = inLightOf('the machine was held up', before);
  assert.deepEqual(
    after.map(({ verdict }) => verdict),
    ['ok', 'repeat', 'repeat', 'skipped', 'repeat'],
  );
  assert.deepEqual(
    after.map(({ note }) => note),
    [null, 'the machine was held up; note', 'the machine was held up', null, null],
  );
});

test('except what no disturbance can bring about', () => {
  assert.equal(inLightOf('the machine was held up', [{ ...read('refused'), certain: true }])[0]!.verdict, 'refused');
});

test('readings become a verdict with findings that name them', () => {
  assert.deepEqual(judge([read('ok'), read('skipped')]), { status: 'passed', findings: [] });
  assert.deepEqual(judge([read('ok'), read('degraded')]).status, 'degraded');
  assert.deepEqual(judge([read('degraded'), read('repeat')]).status, 'disturbed');
  const refused = judge([read('ok'), read('repeat', 'the sender was late'), read('refused'), read('degraded')]);
  assert.equal(refused.status, 'refused');
  const text = 'rate: 36.000 Mbit/s, asked 40.000 Mbit/s (accepted 39.800 Mbit/s to 40.200 Mbit/s)';
  assert.deepEqual(refused.findings, [
    { kind: 'host', status: 'invalid', message: `the link could not be measured: ${text}; the sender was late` },
    {
      kind: 'link',
      status: 'invalid',
      message: `the link is not what was asked for: ${text}`,
      advice: 'another link.backend may help; run.preflight=false leaves this test out',
    },
    { kind: 'link', status: 'degraded', message: `the link is a little beside what was asked for: ${text}` },
  ]);
});

test('packets that were late are said once, and change nothing', () => {
  const late = judge([read('ok'), read('late', 'two of nine'), read('late', 'one of nine')]);
  assert.equal(late.status, 'passed');
  assert.deepEqual(
    late.findings.map(({ kind, status }) => [kind, status]),
    [['link', 'note']],
  );
  assert.match(
    late.findings[0]!.message,
    /^packets were late in 2 of 3 tests of the link, and none came early: rate, rate$/,
  );
});

test('what could not be measured at all is said', () => {
  assert.match(
    judge([{ ...reading(question, null, 'too fast'), verdict: 'degraded' }]).findings[0]!.message,
    /^the link could not be proved: rate: nothing measured, .*; too fast$/,
  );
});

test('a reading in a line, in its unit', () => {
  const of = (unit: Reading['unit'], asked: number, measured: number | null, spread = 0) =>
    formatReading(
      reading({ ...question, title: 'x', unit, asked, low: asked - spread, high: asked + spread }, measured),
    );
  assert.equal(of('ms', 10, 10.0512, 0.2), 'x: 10.051 ms, asked 10.000 ms (accepted 9.800 ms to 10.200 ms)');
  assert.equal(of('bps', 500e3, 500_012), 'x: 500.012 kbit/s, asked 500.000 kbit/s');
  assert.equal(of('packets', 1000, 999.641), 'x: 999.64 packets, asked 1000 packets');
  assert.equal(of('ratio', 0.02, 0.020123), 'x: 2.012 %, asked 2.000 %');
  assert.equal(of('packets', 5, null), 'x: nothing measured, asked 5 packets');
});

test('all readings in a line: what was found, or the gravest in full', () => {
  const plateau = reading(
    { ...question, id: 'queue-plateau', unit: 'packets', asked: 1000, low: 999, high: 1001 },
    999.64,
  );
  assert.equal(
    summariseReadings([reading(question, 39.998e6), plateau, skipped(question, 'x')]),
    '2 of 3 readings ok: rate 39.998 Mbit/s, full queue 999.64 packets; not measured: rate',
  );
  assert.match(
    summariseReadings([
      reading({ ...question, id: 'line-rate-packets', unit: 'packets', asked: 1, low: 1, high: 1 }, 1),
    ]),
    /: at line rate after idle 1 packet$/,
  );
  // a disturbance of the machine does not count against the link, and is noted after the measured value
  assert.equal(
    summariseReadings([reading(question, 39.998e6), read('late'), read('late')]),
    '1 of 3 readings ok: rate 39.998 Mbit/s; in 2 readings packets were late, and none came early: rate, rate',
  );
  assert.equal(
    summariseReadings([plateau, read('repeat'), read('refused')]),
    `refused: ${formatReading(read('refused'))}`,
  );
  assert.equal(summariseReadings([]), '0 of 0 readings ok');
});

test('a link of which nothing was asked is told in a note, and never refused', () => {
  const of = (id: string, measured: number | null): Reading =>
    reading({ id, step: 'overload', title: id, unit: 'ms', asked: 0, low: 0, high: 0 }, measured);
  const readings = told([of('base-round-trip', 40), of('rate', null), of('queue-count', 7)]);
  assert.deepEqual(
    readings.map(({ id, verdict }) => [id, verdict]),
    [
      ['base-round-trip', 'told'],
      ['rate', 'told'],
    ],
  );
  const line = 'base-round-trip: 40.000 ms; rate: nothing measured (the link carried the whole overload)';
  assert.deepEqual(judge(readings), {
    status: 'passed',
    findings: [
      {
        kind: 'link',
        status: 'note',
        message: `the link was there already, and was measured before the trial: ${line}`,
      },
    ],
  });
  assert.equal(summariseReadings(readings), `measured, not judged: ${line}`);
});
