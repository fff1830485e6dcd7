import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { within } from '../../../../core/system/deadline.ts';
import { checkDctcp, holdDctcp, startDctcp } from '../../../../shaper/marking/dctcp.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { ready, untilEnded } from '../support/scripts.ts';

/** Holds it on a machine whose programs are scripts of the test's own. */
const holdOn = (machine: ReturnType<typeof fakeHost>) => holdDctcp(machine, () => startDctcp(machine));

test('all flows on a machine share one registration, which the last of them ends', async () => {
  const machine = fakeHost(untilEnded('true'));
  const first = await holdOn(machine);
  const second = await holdOn(machine);
  assert.equal(machine.started.length, 1);
  assert.deepEqual(machine.started[0]!.slice(1, 2), ['hold']);
  await first.release();
  await (await holdOn(machine)).release();
  assert.equal(machine.started.length, 1, 'the second user still has it');
  await second.release();
  await (await holdOn(machine)).release();
  assert.equal(machine.started.length, 2);
});

test('a machine that cannot load it is told in one line, with exit status 2, and may be asked again', async () => {
  const refuses =
    'echo "coexist-dctcp: the kernel refused the congestion control: Operation not permitted" >&2; exit 2';
  const machine = fakeHost(refuses);
  const lacks = {
    code: 'missing-congestion-control',
    exitStatus: 2,
    message: /^dctcp-like cannot be used here: .*permitted/,
  };
  await assert.rejects(holdOn(machine), lacks);
  await assert.rejects(holdOn(machine), lacks);
  assert.equal(machine.started.length, 2);
  const failing = {
    ...machine,
    run: async () => {
      throw new CoexistError('command-failed', 'coexist-dctcp failed with status 2: Operation not permitted');
    },
  };
  await assert.rejects(checkDctcp(failing), lacks);
});

test('a registration whose process ends fails its users', async () => {
  const held = await holdOn(fakeHost(`${ready}; sleep 0.1; exit 1`));
  await assert.rejects(within(held.failed, 30_000, 'the failure'), { code: 'probe-died' });
  await held.release();
});

test('a registration of another process is a temporary cause', async () => {
  const machine = fakeHost('echo "coexist-dctcp: the kernel did not register dctcp_like: File exists" >&2; exit 2');
  await assert.rejects(holdOn(machine), { code: 'service-failed', message: /another process has registered it$/ });
});
