import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkQueueOption } from '../../../../harness/cli/over-queue.ts';
import { command, describeStatus } from '../../../../harness/cli/queue.ts';
import { command as worker } from '../../../../harness/cli/worker.ts';
import { PlannerKey } from '../../../../harness/queue/planner-key.ts';

const floor = { passed: true, said: 'no stall in 3 trials' };
const worker1 = { machine: 'a', code: '1/x', doing: null, sinceSeconds: 12, floor, isHere: true, seenSeconds: 2 };

test('the status lists workers, runs, what failed and which machines take no trials', () => {
  const failing = { passed: false, said: '2 of 3 trials were void: the machine was 99 % busy' };
  const text = describeStatus({
    workers: [
      { ...worker1, id: '11111111-2222', doing: '0003-flood' },
      { ...worker1, id: '33333333-2222', machine: 'b', code: '1/y' },
      { ...worker1, id: '44444444-2222', machine: 'c', doing: '0001-flood', isHere: false, seenSeconds: 90 },
      { ...worker1, id: '55555555-2222', machine: 'd', floor: null },
      { ...worker1, id: '66666666-2222', machine: 'e', floor: failing },
    ],
    runs: [
      {
        id: 'f00',
        study: 'hello',
        code: '1/x',
        plannerSeenSeconds: 4,
        waiting: 3,
        running: 1,
        done: 2,
        helpers: 1,
        rounds: { a: 1, c: 2 },
        returned: [{ name: '0003-flood', attempt: 2, times: 1, reason: 'b: it was stopped' }],
        failed: [{ name: '0002-flood', attempt: 1, reason: 'c: the disk is full' }],
        refusals: [{ machine: 'b', reason: 'it has no bbr' }],
      },
      {
        id: 'f01',
        study: 'bye',
        code: '0/x',
        plannerSeenSeconds: 90,
        waiting: 1,
        running: 0,
        done: 0,
        helpers: 0,
        rounds: {},
        returned: [],
        failed: [],
        refusals: [],
      },
    ],
  });
  assert.equal(
    text,
    [
      'workers:',
      '  a (11111111)  version 1/x  has been running 0003-flood for 12 s; noise floor: no stall in 3 trials',
      '  b (33333333)  version 1/y  has been idle for 12 s; noise floor: no stall in 3 trials',
      '  c (44444444)  version 1/x  no report for 90 s',
      '  d (55555555)  version 1/x  has been measuring its noise floor for 12 s',
      '  e (66666666)  version 1/x  gets no trials: its noise floor does not pass (2 of 3 trials were void: the machine was 99 % busy)',
      'runs:',
      '  hello (f00)  version 1/x: 3 waiting, 1 running, 2 done, 1 failed',
      '    last report from its planner: 4 s ago',
      '    1 repeat on a',
      '    2 repeats on c',
      '    returned to the queue once: 0003-flood, try 2: b: it was stopped',
      '    failed: 0002-flood, try 1: c: the disk is full',
      '    b takes no trials of this run: it has no bbr',
      '  bye (f01)  version 0/x: 1 waiting, 0 running, 0 done, 0 failed',
      '    no report from its planner for 90 s: continue the study with --resume, or remove it with "remove f01"',
      '    no available worker can take its trials',
      '',
    ].join('\n'),
  );
  assert.equal(describeStatus({ workers: [], runs: [] }), 'no workers\nno runs\n');
});

test('options that do not fit together are refused before anything is started', async () => {
  assert.throws(() => checkQueueOption({ queue: 'local', headed: true }), {
    code: 'usage',
    message: /^--headed cannot be combined with --queue/,
  });
  assert.throws(() => checkQueueOption({ queue: 'mysql://x' }), {
    code: 'usage',
    message: /--queue mysql:\/\/x is not the address of a PostgreSQL database/,
  });
  for (const queue of ['local', 'postgres://a@b/c', 'postgresql://a@b/c']) checkQueueOption({ queue });
  await assert.rejects(command([]), { code: 'usage', message: 'npm run queue takes status, "remove RUN" or key' });
  await assert.rejects(command(['stats']), { code: 'usage', message: /^npm run queue takes .*, not "stats"$/ });
  await assert.rejects(command(['remove']), { code: 'usage', message: /, not "remove"$/ });
  await assert.rejects(command(['status']), { code: 'usage', message: /--queue needs the address/ });
  await assert.rejects(worker(['--trust', PlannerKey.temporary().name]), {
    code: 'usage',
    message: /--queue needs the address/,
  });
  await assert.rejects(worker(['--queue', 'postgres://a@b/c']), {
    code: 'usage',
    message: /--trust needs the public keys/,
  });
  await assert.rejects(worker(['--queue', 'postgres://a@b/c', '--trust', 'x']), {
    code: 'usage',
    message: '"x" is not the public key of a planner',
  });
});

test('a database that cannot be reached is reported in one line, without the password', async () => {
  await assert.rejects(command(['status', '--queue', 'postgres://me:secret@127.0.0.1:1/none']), error => {
    assert.ok(error instanceof Error && !error.message.includes('secret'));
    assert.match(
      error.message,
      /^the queue's database at postgres:\/\/me@127\.0\.0\.1:1\/none could not be reached for \d+ s: connect ECONNREFUSED/,
    );
    return true;
  });
});
