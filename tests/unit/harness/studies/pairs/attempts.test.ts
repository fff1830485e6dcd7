import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../../../harness/record/trial-file.ts';
import { Attempts } from '../../../../../harness/studies/pairs/attempts.ts';
import { contestant, plan } from './support/study.ts';

const of = plan([contestant('a'), contestant('b')], { links: ['8mbit', '50mbit'], run: { retries: 2 } });
const cell = (id: string) => of.cells.find(own => own.id === id)!;
const voided = (kind: 'host' | 'failure', message = 'the machine was 99 % busy'): Verdict => ({
  status: 'invalid',
  findings: [
    { kind, status: 'invalid', message },
    { kind: 'host', status: 'degraded', message: 'a little late' },
  ],
});
const valid: Verdict = { status: 'valid', findings: [] };
const ids = (lost: { cell: { id: string } }[]) => lost.map(({ cell: { id } }) => id);

const round = (own: string, number: number) => ({ id: `${own}-00${number}` });

test('a cell that the host disturbs for one reason again and again is given up, with the reason', () => {
  const attempts = new Attempts(of);
  const pair = cell('8mbit-a-and-b');
  const trial = round(pair.id, 1);
  assert.deepEqual(
    [1, 2].flatMap(() => attempts.take(pair, trial, voided('host'))),
    [],
  );
  assert.deepEqual(attempts.take(pair, trial, voided('host', 'the machine was 98 % busy')), [
    { cell: pair, reason: 'the machine was 98 % busy' },
  ]);
  assert.deepEqual([...attempts.givenUp.keys()], ['8mbit-a-and-b']);
});

test('a part that fails is tried once more', () => {
  const attempts = new Attempts(of);
  const pair = cell('8mbit-a-and-b');
  assert.deepEqual(attempts.take(pair, round(pair.id, 1), voided('failure')), []);
  assert.deepEqual(ids(attempts.take(pair, round(pair.id, 1), voided('failure'))), ['8mbit-a-and-b']);
});

test('in the next round it may fail once again', () => {
  const attempts = new Attempts(of);
  const pair = cell('8mbit-a-and-b');
  for (let k = 1; k < 6; k++) {
    const trial = round(pair.id, k);
    assert.deepEqual([...attempts.take(pair, trial, voided('failure')), ...attempts.take(pair, trial, valid)], []);
  }
});

test('who does not run alone is not tried beside others, on that link', () => {
  const attempts = new Attempts(of);
  const lost = attempts.giveUp(cell('8mbit-a-alone'), 'A: timed out after 15 s waiting for the first frame');
  assert.deepEqual(ids(lost), ['8mbit-a-alone', '8mbit-a-and-a', '8mbit-a-and-b']);
  assert.equal(lost[2]!.reason, 'a does not run alone: A: timed out after 15 s waiting for the first frame');
  assert.deepEqual(
    ids(attempts.giveUp(cell('8mbit-b-alone'), 'broken')),
    ['8mbit-b-alone', '8mbit-b-and-b'],
    'what is given up stays so, for its first reason',
  );
});

test('with no tries to spare the first is the last', () => {
  const strict = plan([contestant('a')], { run: { retries: 0 } });
  assert.equal(new Attempts(strict).take(strict.cells[0]!, round('a', 1), voided('host')).length, 2);
});

test('a pair on a link that is not what was asked for is given up at once, and what may help is said', () => {
  const attempts = new Attempts(of);
  const pair = cell('8mbit-a-and-b');
  const refused: Verdict = {
    status: 'invalid',
    findings: [{ kind: 'link', status: 'invalid', message: 'the link is wrong', advice: 'another backend may help' }],
  };
  assert.deepEqual(attempts.take(pair, round(pair.id, 1), refused), [
    { cell: pair, reason: 'another try would end the same way (the link is wrong); another backend may help' },
  ]);
});
