import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVoidForMachine, untilCalm } from '../../../../harness/runner/calm.ts';
import type { Finding } from '../../../../harness/record/trial-file.ts';

const signal = new AbortController().signal;

/** Looks that find these, then the last again and again. */
function looks(...taken: number[]) {
  const told: number[] = [];
  let count = 0;
  return {
    told,
    count: () => count,
    options: {
      look: async () => taken[Math.min(count++, taken.length - 1)]!,
      onWait: (cores: number) => told.push(cores),
    },
  };
}

test('a calm machine is looked at once, and nothing is said', async () => {
  const { options, count, told } = looks(0.05);
  await untilCalm({ signal, ...options, betweenMs: 1e6 });
  assert.equal(count(), 1);
  assert.deepEqual(told, []);
});

test('a noisy one is waited for, and that is said once', async () => {
  const { options, count, told } = looks(0.5, 0.3, 0.2, 0.1);
  await untilCalm({ signal, ...options, betweenMs: 1 });
  assert.equal(count(), 4);
  assert.deepEqual(told, [0.5]);
});

test('one that is never calm gets its try when the time is over', async () => {
  const { options, count } = looks(1);
  await untilCalm({ signal, ...options, betweenMs: 1, longestMs: 20 });
  assert.ok(count() > 1);
});

test('an interruption ends the wait', async () => {
  const { options } = looks(1);
  const interruption = new AbortController();
  const wait = untilCalm({
    signal: interruption.signal,
    ...options,
    betweenMs: 1e6,
    onWait: () => interruption.abort(new Error('stop')),
  });
  await assert.rejects(wait, { name: 'AbortError' });
});

test('a look at this machine keeps its cores busy for a second and tells what was taken', async () => {
  const startMs = performance.now();
  await untilCalm({ signal, longestMs: 0 });
  assert.ok(performance.now() - startMs >= 1000);
});

test('a try is void for the machine where that alone would void it', () => {
  const verdict = (status: 'valid' | 'degraded' | 'invalid', ...findings: Pick<Finding, 'kind' | 'status'>[]) =>
    isVoidForMachine({ verdict: { status, findings: findings.map(one => ({ ...one, message: 'x' })) } });
  assert.equal(verdict('invalid', { kind: 'host', status: 'invalid' }), true);
  assert.equal(verdict('invalid', { kind: 'failure', status: 'invalid' }, { kind: 'host', status: 'degraded' }), false);
  assert.equal(verdict('degraded', { kind: 'host', status: 'degraded' }), false);
});
