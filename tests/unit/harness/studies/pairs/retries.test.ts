import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../../../harness/record/trial-file.ts';
import { retriesOf } from '../../../../../harness/studies/pairs/matrix.ts';
import { contestant, plan } from './support/study.ts';

const of = plan([contestant('a'), contestant('b')], { links: ['8mbit', '50mbit'], run: { retries: 2 } });
const voided = (kind: 'host' | 'failure', message = 'the machine was 99 % busy'): Verdict => ({
  status: 'invalid',
  findings: [
    { kind, status: 'invalid', message },
    { kind: 'host', status: 'degraded', message: 'a little late' },
  ],
});
const valid: Verdict = { status: 'valid', findings: [] };
const pair = '8mbit-a-and-b';
const round = (number: number, condition = pair) => ({ id: `${condition}-00${number}`, condition });

test('a cell that the host disturbs for one reason again and again is given up, with the reason', () => {
  const told: string[] = [];
  const policy = retriesOf(of, (cell, reason) => told.push(`${cell}: ${reason}`));
  assert.equal(policy.take(round(1), voided('host')), 'again');
  assert.equal(policy.take(round(1), voided('host')), 'again');
  assert.deepEqual(told, []);
  assert.equal(policy.take(round(1), voided('host', 'the machine was 98 % busy')), 'lost');
  assert.deepEqual(told, [`${pair}: all 3 of its tries were void for one reason: the machine was … % busy`]);
});

test('a part that fails is tried once more, and then the cell is given up', () => {
  const policy = retriesOf(of);
  assert.equal(policy.take(round(1), voided('failure')), 'again');
  assert.deepEqual([...policy.givenUp], []);
  assert.equal(policy.take(round(1), voided('failure', 'it ended')), 'lost');
  assert.deepEqual([...policy.givenUp], [[pair, 'it ended']]);
});

test('in the next round it may fail once again', () => {
  const policy = retriesOf(of);
  for (let k = 1; k < 6; k++) {
    policy.take(round(k), voided('failure'));
    policy.take(round(k), valid);
  }
  assert.deepEqual([...policy.givenUp], []);
});

test('who does not run alone is not tried beside others, on that link', () => {
  const policy = retriesOf(of);
  policy.lose('8mbit-a-alone', 'A: timed out after 15 s waiting for the first frame');
  assert.deepEqual([...policy.givenUp.keys()], ['8mbit-a-alone', '8mbit-a-and-a', pair]);
  assert.equal(policy.givenUp.get(pair), 'a does not run alone: A: timed out after 15 s waiting for the first frame');
  policy.lose('8mbit-b-alone', 'broken');
  assert.deepEqual([...policy.givenUp.keys()].slice(3), ['8mbit-b-alone', '8mbit-b-and-b']);
  assert.match(policy.givenUp.get(pair)!, /^a does not run alone/, 'what is given up stays so, for its first reason');
});

test('with no tries to spare the first is the last', () => {
  const strict = plan([contestant('a')], { run: { retries: 0 } });
  const policy = retriesOf(strict);
  assert.equal(policy.take(round(1, strict.cells[0]!.id), voided('host')), 'lost');
  assert.equal(policy.givenUp.size, 2);
});

test('a pair on a link that is not what was asked for is given up at once, and what may help is said', () => {
  const policy = retriesOf(of);
  const refused: Verdict = {
    status: 'invalid',
    findings: [{ kind: 'link', status: 'invalid', message: 'the link is wrong', advice: 'another backend may help' }],
  };
  assert.equal(policy.take(round(1), refused), 'lost');
  assert.deepEqual(
    [...policy.givenUp],
    [[pair, 'another try would end the same way (the link is wrong); another backend may help']],
  );
});
