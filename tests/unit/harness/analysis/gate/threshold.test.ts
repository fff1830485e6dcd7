import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireTrialsToJudge, resolveThresholds } from '../../../../../harness/analysis/gate/threshold.ts';
import type { Quantity } from '../../../../../harness/analysis/metrics/metric.ts';
import { planOf } from '../../support/plan.ts';

const quantity = (id: string, unit: string): Quantity => ({ id, title: id, unit, better: 'lower' });
const quantities = [
  quantity('stall-time', 's'),
  { ...quantity('rtt-mean', 'ms'), of: 'link' as const },
  { ...quantity('goodput', 'bit/s'), together: true as const },
  quantity('loss', 'ratio'),
  quantity('frame-rate', '1/s'),
  quantity('stall-count', ''),
  quantity('server-cpu', 'cores'),
];
const conditions = { alone: { flood: { id: 'none' } }, wired: {}, lossy: { link: { loss: '2%' } } };
const resolved = (...require: object[]) => resolveThresholds(planOf({ conditions, require }), quantities);
const refused = (require: object, message: RegExp, hint?: RegExp) =>
  assert.throws(
    () => resolved(require),
    (error: Error & { hint?: string }) =>
      message.test(error.message) && (hint === undefined || hint.test(error.hint ?? '')),
  );

test('a bound has the unit of its metric', () => {
  const limits = resolved(
    { metric: 'stall-time', atMost: '500ms' },
    { metric: 'rtt-mean', atMost: '0.1s' },
    { metric: 'goodput', atLeast: '5mbit' },
    { metric: 'loss', atMost: '2%' },
    { metric: 'frame-rate', atLeast: '59.5fps' },
    { metric: 'stall-count', atMost: 1 },
    { metric: 'server-cpu', atMost: 0.4 },
  );
  assert.deepEqual(
    limits.map(({ bound, limit }) => [bound, limit]),
    [
      ['atMost', 0.5],
      ['atMost', 100],
      ['atLeast', 5e6],
      ['atMost', 0.02],
      ['atLeast', 59.5],
      ['atMost', 1],
      ['atMost', 0.4],
    ],
  );
  assert.deepEqual(limits[0], {
    metric: 'stall-time',
    conditions: ['alone', 'wired', 'lossy'],
    bound: 'atMost',
    limit: 0.5,
    judge: 'median',
  });
});

test('another unit, or none, is refused with an example', () => {
  refused(
    { metric: 'stall-time', atMost: '5mbit' },
    /require\.0: "5mbit" is no bound for stall-time; write it like "2s"/,
  );
  refused({ metric: 'stall-time', atMost: 2 }, /2 is no bound for stall-time; write it like "2s"/);
  refused({ metric: 'frame-rate', atLeast: '55' }, /"55" is no bound for frame-rate; write it like "55fps"/);
  refused({ metric: 'stall-count', atMost: '1s' }, /"1s" is no bound for stall-count; write a number/);
  refused({ metric: 'server-cpu', atMost: '40%' }, /write a number \(cores\)/);
});

test('a metric or condition that there is not is refused with the nearest', () => {
  refused(
    { metric: 'stal-time', atMost: '0s' },
    /there is no metric "stal-time"; did you mean "stall-time"\?/,
    /known: stall-time, /,
  );
  refused(
    { metric: 'stall-time', condition: 'wird', atMost: '0s' },
    /there is no condition "wird"; did you mean "wired"\?/,
    /known: alone, wired, lossy/,
  );
});

test('a condition stands for its variations', () => {
  const plan = planOf({
    conditions,
    vary: { 'flood.flows': [1, 5] },
    require: [
      { metric: 'rtt-mean', condition: 'wired', atMost: '1s' },
      { metric: 'rtt-mean', condition: 'wired-flows-5', atMost: '1s' },
    ],
  });
  assert.deepEqual(
    resolveThresholds(plan, quantities).map(threshold => threshold.conditions),
    [['wired-flows-1', 'wired-flows-5'], ['wired-flows-5']],
  );
});

test('a condition does not stand for one whose name only begins alike', () => {
  const require = [
    { metric: 'rtt-mean', condition: 'slow', atMost: '1s' },
    { metric: 'rtt-mean', condition: 'Lossy link', atMost: '1s' },
    { metric: 'rtt-mean', condition: 'lossy-link', atMost: '1s' },
  ];
  const of = (vary: object) =>
    resolveThresholds(
      planOf({
        conditions: { slow: {}, 'slow-tcp': { link: { loss: '1%' } }, 'Lossy link': { link: { loss: '2%' } } },
        vary,
        require,
      }),
      quantities,
    ).map(threshold => threshold.conditions);
  assert.deepEqual(of({}), [['slow'], ['lossy-link'], ['lossy-link']]);
  const lossy = ['lossy-link-flows-1', 'lossy-link-flows-5'];
  assert.deepEqual(of({ 'flood.flows': [1, 5] }), [['slow-flows-1', 'slow-flows-5'], lossy, lossy]);
});

test('without thresholds there are none', () => assert.deepEqual(resolveThresholds(planOf(), quantities), []));

test('an interval that the planned trials cannot have is refused before they run', () => {
  const judged = (judge: string | undefined, repeats: number) => {
    const plan = planOf({
      run: { repeats },
      require: [
        { metric: 'stall-time', atMost: '1s' },
        { metric: 'stall-time', atMost: '1s', ...(judge === undefined ? {} : { judge }) },
      ],
    });
    requireTrialsToJudge(plan, resolveThresholds(plan, quantities));
  };
  assert.throws(() => judged('interval', 5), {
    code: 'bad-definition',
    message:
      'study: require.1: judge: "interval" needs a 95 % interval, which takes 6 trials of each condition, and ' +
      'the plan has 5',
    hint: 'give --repeats 6, or judge: "median"',
  });
  judged('interval', 6);
  judged('median', 1);
  judged(undefined, 1);
});

test('a threshold names an application, or all others, and judges the conditions that have it', () => {
  const limits = resolved(
    { metric: 'goodput', of: 'flood', atLeast: '5mbit' },
    { metric: 'goodput', of: 'others', atLeast: '5mbit' },
    { metric: 'loss', of: 'service', atMost: '1%' },
  );
  assert.deepEqual(
    limits.map(({ metric, of, conditions: ids }) => [metric, of, ids]),
    [
      ['goodput', 'flood', ['wired', 'lossy']],
      ['goodput', 'others', ['wired', 'lossy']],
      ['loss', 'service', ['alone', 'wired', 'lossy']],
    ],
  );
  refused(
    { metric: 'goodput', of: 'flod', atLeast: '5mbit' },
    /there is no application "flod"; did you mean "flood"\?/,
  );
  refused(
    { metric: 'rtt-mean', of: 'flood', atMost: '1s' },
    /require\.0: rtt-mean is not of an application; leave "of" out/,
  );
  refused(
    { metric: 'loss', of: 'others', atMost: '1%' },
    /loss has no value of the others together; name an application/,
  );
});

test('names of earlier versions are the present ones', () => {
  const limits = resolved(
    { metric: 'media-goodput', atLeast: '5mbit' },
    { metric: 'flood-goodput', atLeast: '5mbit' },
    { metric: 'media-loss', atMost: '2%' },
  );
  assert.deepEqual(
    limits.map(({ metric, of }) => [metric, of]),
    [
      ['goodput', undefined],
      ['goodput', 'others'],
      ['loss', undefined],
    ],
  );
  refused(
    { metric: 'flood-goodput', of: 'flood', atLeast: '5mbit' },
    /require\.0\.of: "flood-goodput" is an earlier name that says itself what it is of; write metric: "goodput"/,
  );
});

test('a threshold names a further bottleneck, and judges the conditions that have it', () => {
  const then = [{ rate: '5mbit', queue: { limit: '100ms' } }];
  const withDelay = [
    ...quantities,
    { id: 'queue-delay-p95', title: '', unit: 'ms', better: 'lower' as const, perHop: true as const },
  ];
  const limitsOf = (one: object) =>
    resolveThresholds(planOf({ conditions: { one: {}, two: { link: { then } } }, require: [one] }), withDelay);
  assert.deepEqual(
    limitsOf({ metric: 'queue-delay-p95', of: 'hop-2', atMost: '1s' }).map(({ of, conditions: ids }) => [of, ids]),
    [['hop-2', ['two']]],
  );
  assert.throws(() => limitsOf({ metric: 'goodput', of: 'hop-2', atLeast: '1mbit' }), {
    message: /goodput has no value of "hop-2"; leave "of" out/,
  });
});

test('a threshold names the bottleneck from the clients', () => {
  const up = { rate: '1mbit', queue: { limit: '100ms' } };
  const withDrops = [
    ...quantities,
    { id: 'queue-drops', title: '', unit: '', better: null, perHop: true as const, perDirection: true as const },
    { id: 'random-losses', title: '', unit: '', better: null, perHop: true as const },
  ];
  const limitsOf = (one: object) =>
    resolveThresholds(planOf({ conditions: { one: {}, two: { link: { up } } }, require: [one] }), withDrops);
  const meant = [{ metric: 'queue-drops', of: 'up', conditions: ['two'] }];
  for (const written of [{ metric: 'queue-drops', of: 'up' }, { metric: 'up-queue-drops' }])
    assert.deepEqual(
      limitsOf({ ...written, atMost: 5 }).map(({ metric, of, conditions }) => ({ metric, of, conditions })),
      meant,
    );
  assert.throws(() => limitsOf({ metric: 'random-losses', of: 'up', atMost: 5 }), {
    message: /random-losses has no value of "up"; leave "of" out/,
  });
});
