import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimate, isSolo, makePairsPlan, trialMs, windowWithinMs } from '../../../../../harness/studies/pairs/plan.ts';
import { contestant, plan } from './support/study.ts';

const four = ['a', 'b', 'c', 'd'].map(name => contestant(name));

test('each alone, each beside each other and beside itself, on every link; those alone first', () => {
  const { cells } = plan(four, { links: ['8mbit', '50mbit'] });
  assert.equal(cells.length, 2 * (4 + 10));
  assert.deepEqual(cells.map(isSolo), [...Array(8).fill(true), ...Array(20).fill(false)]);
  assert.deepEqual(
    cells.slice(8, 11).map(({ id }) => id),
    ['8mbit-a-and-a', '8mbit-a-and-b', '8mbit-a-and-c'],
  );
  assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
});

test('a cap is measured where nothing holds it: on a link of its own, unless one is wide enough', () => {
  const capped = [contestant('video', 13e6), contestant('bulk')];
  const own = plan(capped, { links: ['8mbit'] });
  assert.deepEqual(
    own.links.map(({ id }) => id),
    ['8mbit', 'open'],
  );
  assert.deepEqual(
    own.cells.filter(({ link }) => link === 'open').map(({ sides }) => sides),
    [['video']],
  );
  assert.deepEqual(
    plan([contestant('call', 2.6e6)], { links: ['8mbit', '50mbit'] }).links.map(({ id }) => id),
    ['8mbit', '50mbit'],
  );
  assert.deepEqual(
    plan(capped, { run: { repeats: 1, stopping: 'fixed' } }).links.map(({ id }) => id),
    ['8mbit'],
    'a single round goes by what a service says of itself',
  );
});

test('how long it takes, by hand', () => {
  const two = plan([contestant('a'), contestant('b')], {
    run: { window: '60s', warmUp: '30s', coolDown: '6s', preflight: false, parallel: 1 },
  });
  assert.equal(trialMs(two, two.cells[0]!), 108_000); // including 12 s for link, start and stop
  // 2 alone, 7 trials each; 3 pairs, 7 to 30; 24 s to make the services ready
  assert.deepEqual(estimate(two, 1), {
    fewestTrials: 35,
    mostTrials: 104,
    leastMs: 24_000 + 35 * 108_000,
    mostMs: 24_000 + 104 * 108_000,
  });
  assert.equal(estimate(two, 2).mostMs, 24_000 + 52 * 108_000);
});

test('a service that needs longer to warm up gets it', () => {
  const slow = makePairsPlan({ ...plan(four), contestants: [{ ...four[0]!, warmUpMs: 90_000 }, four[1]!] });
  assert.deepEqual(
    slow.cells.map(cell => trialMs(slow, cell) - trialMs(plan(four), cell)),
    [60_000, 0, 60_000, 60_000, 0],
  );
});

test('a service that would be over before the trial is refused, with the longest window that it allows', () => {
  // 1770 s less 180 s to be ready, 30 s of warm-up, 5 s of cool-down
  const video = { ...contestant('video'), longestMs: 1770e3 };
  assert.doesNotThrow(() => plan([video, contestant('bulk')], { run: { window: '1555s' } }));
  assert.throws(() => plan([video, contestant('bulk')], { run: { window: '1556s' } }), {
    code: 'bad-definition',
    message: /^VIDEO ends after .*, before the end of a trial$/,
    hint: 'give run.window 1555s at most, or leave it out',
  });
  assert.throws(() => plan([video], { run: { warmUp: '30min' } }), {
    hint: /^make run\.warmUp and run\.coolDown shorter/,
  });
});

test('the quick matrix of four stays under its 24 minutes with a reserve, by a shorter window', () => {
  const quick = plan(four, { run: { warmUp: '10s', coolDown: '0s', stopping: 'fixed', repeats: 1, soloRepeats: 1 } });
  const budgetMs = 24 * 60e3;
  const windowMs = windowWithinMs(quick, 1, budgetMs);
  assert.ok(windowMs >= 20_000, String(windowMs));
  assert.ok(estimate({ ...quick, run: { ...quick.run, windowMs } }, 1).mostMs <= 0.86 * budgetMs);
  const many = plan(
    Array.from({ length: 12 }, (_, k) => contestant(`s${k}`)),
    { run: { stopping: 'fixed', repeats: 1, soloRepeats: 1 } },
  );
  assert.equal(windowWithinMs(many, 1, budgetMs), 8000, 'never shorter than tells anything');
});
