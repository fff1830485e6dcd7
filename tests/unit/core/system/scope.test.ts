import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '../../../../core/system/scope.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const never = () => new Promise<never>(() => {});
const enough = new Error('enough');

test('a step gives its result', async () => assert.equal(await new Scope().race(Promise.resolve(7)), 7));

test('the abort of the signal gives up every wait with its reason, and none begins after it', async () => {
  const owner = new AbortController();
  const scope = new Scope({ signal: owner.signal });
  const waits = [scope.race(never()), scope.race(never())];
  owner.abort(enough);
  for (const wait of waits) await assert.rejects(wait, enough);
  await assert.rejects(scope.race(Promise.resolve(1)), enough);
  await assert.rejects(scope.open(1, String), enough);
  await assert.rejects(new Scope({ signal: owner.signal }).race(never()), enough);
});

test('a part that fails ends the scope, even one that failed before a wait began; the first reason counts', async () => {
  const scope = new Scope();
  scope.watch(Promise.reject(enough));
  await assert.rejects(scope.race(never()), enough);
  scope.end(new Error('later'));
  assert.equal(scope.signal.reason, enough);
});

test('a deadline ends the scope, unless the scope has ended before', async () => {
  const clock = new VirtualClock(0);
  const deadline = { ms: 500, error: () => new Error(`late at ${clock.nowMs()}`) };
  await clock.run(assert.rejects(new Scope({ deadline, clock }).race(never()), /late at 500/));
  const early = new Scope({ deadline, clock });
  early.end(enough);
  await assert.rejects(clock.run(never()), /nothing is going to happen/); // no timer is left
  assert.equal(early.signal.reason, enough);
});

test('a scope that has ended listens to nothing', async () => {
  const owner = new AbortController();
  let listeners = 0;
  const { signal } = owner;
  const count = (name: 'addEventListener' | 'removeEventListener', by: number) => {
    const real = signal[name].bind(signal);
    signal[name] = (...of: Parameters<AbortSignal['addEventListener']>) => {
      listeners += by;
      real(...(of as Parameters<AbortSignal['removeEventListener']>));
    };
  };
  count('addEventListener', 1);
  count('removeEventListener', -1);
  await Scope.run({ signal }, scope => scope.race(Promise.resolve()));
  assert.equal(listeners, 0);
});

test('what was opened is closed in the reverse order, whatever goes wrong, and no error is lost', async () => {
  const closed: string[] = [];
  const scope = new Scope();
  const open = (name: string) => scope.open(name, thing => closed.push(thing));
  await open('first');
  const failing = (message: string) => () => {
    throw new Error(message);
  };
  await scope.open('second', failing('the second does not close'));
  await assert.rejects(
    scope.open(Promise.reject<string>(enough), () => closed.push('never')),
    enough,
  );
  scope.defer(failing('nor does this'));
  await open('third');
  await assert.rejects(scope.close(), { name: 'AggregateError', message: 'nor does this; the second does not close' });
  assert.deepEqual(closed, ['third', 'first']);
  await assert.rejects(scope.close(), AggregateError);
  assert.deepEqual(closed, ['third', 'first']);
});

test('what is still being opened is closed as soon as it is there', async () => {
  const closed: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const scope = new Scope();
  const slow = scope.open(promise, thing => closed.push(thing));
  const closing = scope.close();
  await assert.rejects(slow, /the scope is over/);
  assert.equal(closed.length, 0);
  const late = scope.open('late', thing => closed.push(thing)); // a thing that opens after the end is closed as well
  await assert.rejects(late, /the scope is over/);
  resolve('slow');
  await closing;
  await scope.close();
  assert.deepEqual(closed, ['slow', 'late']);
});

test('work in a scope of its own: its result or its error, and errors of the clean-up', async () => {
  const logged: string[] = [];
  const log = (text: string) => void logged.push(text);
  const work = (end: () => Promise<number>) => (scope: Scope) => {
    scope.defer(() => Promise.reject(new Error('it does not close')));
    return end();
  };
  const well = work(async () => 7);
  const failed = work(() => Promise.reject(enough));
  assert.equal(await Scope.run({}, async () => 7), 7);
  assert.equal(await Scope.run({ log }, well), 7);
  await assert.rejects(Scope.run({ log }, failed), enough);
  assert.deepEqual(logged, ['it does not close', 'it does not close']);
  await assert.rejects(Scope.run({}, well), /it does not close/);
  await assert.rejects(
    Scope.run({}, failed),
    (error: unknown) =>
      error instanceof SuppressedError && error.suppressed === enough && error.error.message === 'it does not close',
  );
});

test('work whose waits are given up ends, and is cleaned up after it', async () => {
  const closed: string[] = [];
  const owner = new AbortController();
  const done = Scope.run({ signal: owner.signal }, async scope => {
    await scope.open('thing', thing => closed.push(thing));
    await scope.race(never()).finally(() => closed.push('work'));
  });
  await new Promise(setImmediate);
  owner.abort(enough);
  await assert.rejects(done, enough);
  assert.deepEqual(closed, ['work', 'thing']);
});
