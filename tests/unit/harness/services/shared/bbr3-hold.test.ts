import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../../../core/host.ts';
import { localHost } from '../../../../../core/local-host.ts';
import { holdBbr3 } from '../../../../../harness/services/shared/bbr3-hold.ts';
import type { ensureBbr3 } from '../../../../../shaper/bbr3/loader.ts';
import type { Bbr3Budget } from '../../../../../shaper/bbr3/telemetry.ts';
import { temporaryFolder } from '../../support/folder.ts';

process.env['COEXIST_STATE_DIR'] = temporaryFolder();

/** A kernel in which nothing is loaded, and what was asked of it. */
function kernel(delayMs = 0, users: { id: string; owner: { pid: number; startTicks: number } }[] = []) {
  const congestionControls: string[] = [];
  const asked: string[] = [];
  let present: Bbr3Budget | undefined;
  const ensure: typeof ensureBbr3 = async (beforeLoading, { budget = 'draft', isOwn = false } = {}) => {
    asked.push(`${budget}${isOwn ? ', own' : ''}`);
    await new Promise(resolve => setTimeout(resolve, delayMs));
    if (present === undefined || (isOwn && present !== budget)) {
      await beforeLoading();
      present = budget;
    }
    return { version: 3, draft: 'draft', objectSha256: '', budget: present, telemetry: true, congControlArguments: 4 };
  };
  return {
    asked,
    congestionControls,
    hold: (budget: Bbr3Budget, host: Host = localHost) =>
      holdBbr3(
        host,
        { id: 'own', congestionControls, addCongestionControl: name => congestionControls.push(name) },
        budget,
        ensure,
        () => users,
      ),
  };
}

test('whoever wants another budget while one is held is refused; after that it is loaded anew', async () => {
  const { hold, asked } = kernel();
  const [first, second] = [await hold('draft'), await hold('draft')];
  const refused = {
    code: 'bad-definition',
    message:
      'two applications want BBRv3 at once with different budgets, "draft" and "kernel"; the kernel can load only one budget at a time',
  };
  await assert.rejects(hold('kernel'), refused);
  first.release();
  first.release();
  await assert.rejects(hold('kernel'), refused, 'the second one still holds it');
  second.release();
  const third = await hold('kernel');
  assert.equal(third.identity.budget, 'kernel');
  third.release();
  assert.deepEqual(asked, ['draft', 'draft, own', 'kernel, own']);
});

test('of two that ask at the same time, one loads it and the other finds it', async () => {
  const { hold, asked } = kernel(20);
  const [first, second] = await Promise.all([hold('kernel'), hold('kernel')]);
  assert.deepEqual(asked, ['kernel', 'kernel, own']);
  const both = await Promise.allSettled([hold('draft'), hold('kernel')]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  for (const held of [first, second]) held.release();
  for (const end of both) if (end.status === 'fulfilled') end.value.release();
});

test('what another run has put there is used and listed, and not taken from it', async () => {
  const other = { id: 'other', owner: { pid: process.pid + 1, startTicks: 1 } };
  const { hold, asked, congestionControls } = kernel(0, [other]);
  (await hold('draft')).release();
  (await hold('draft')).release();
  assert.deepEqual([congestionControls[0], asked], ['bbr3', ['draft', 'draft']], 'never as its own');
  const lanes = kernel(0, [{ id: 'lane', owner: { pid: process.pid, startTicks: 1 } }]);
  (await lanes.hold('draft')).release();
  assert.deepEqual(lanes.asked, ['draft, own'], 'what another lane of this process has put there');
});

test('another machine has it beside this one, with a budget of its own, and is told how to take it away', async () => {
  const here = kernel();
  const undo: string[][] = [];
  const { command: _, ...elsewhere } = localHost;
  const machine = {
    ...elsewhere,
    name: 'left',
    give: async () => '/there/loader',
    undoAtEnd: async (lines: readonly string[]) => void undo.push([...lines]),
  };
  const there = kernel();
  const first = await here.hold('draft');
  const second = await there.hold('kernel', machine);
  assert.deepEqual(undo, [["'/there/loader' unload"]]);
  assert.ok(second.isOurs);
  assert.deepEqual(there.congestionControls, []);
  second.release();
  const third = await there.hold('draft', machine);
  assert.deepEqual([there.asked, undo.length], [['kernel', 'draft, own'], 1]);
  for (const held of [first, third]) held.release();
});
