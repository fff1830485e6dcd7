/**
 * BBRv3 on the wire: the flood that asks for it gets it, proves it, and leaves the machine as it was. Budgets, other
 * floods, and several that hold it: tests/long.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { sleep, until } from '../../core/system/deadline.ts';
import type { OtherMachine } from '../../core/system/host.ts';
import { localHost } from '../../core/system/local-host.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { bbr3Loader, holdBbr3 } from '../../shaper/bbr3/loader.ts';
import { flood, holding, offered, skip } from './support/bbr3-floods.ts';

test('a flood of BBRv3 loads it, proves each flow, and tells its model', { skip }, async () => {
  assert.equal(offered(), false);
  await flood({ congestionControl: 'bbr3', flows: 2 }, async (running, told) => {
    await sleep(3000);
    await running.sample();
    const { label, evidence, flows, loaded } = await running.read();
    assert.equal(label, 'BBRv3 (draft-ietf-ccwg-bbr)');
    assert.match(evidence, /own account of each flow says version 3/);
    assert.deepEqual(
      flows.map(flow => [flow.congestionControl, flow.model!.version]),
      [
        ['bbr3', 3],
        ['bbr3', 3],
      ],
    );
    for (const flow of flows) {
      assert.ok(flow.model!.ringHits > 100 && flow.model!.ringHits > 20 * flow.model!.ringMisses, JSON.stringify(flow));
      assert.ok(flow.receivedBytes! > 500_000 && flow.sentBytes! >= flow.receivedBytes!);
    }
    assert.match(loaded!.objectSha256!, /^[0-9a-f]{64}$/);
    assert.equal(loaded!.loadedForThis, true);
    const ports = new Set(flows.map(flow => flow.port));
    assert.ok(told.model.every(record => ports.has(record.port)));
    const events = told.model.filter(record => record.kind === 'event');
    for (const port of ports) {
      const own = events.filter(event => event.port === port);
      assert.deepEqual([own[0]!.event, own[0]!.to], ['begin', 'startup']);
      assert.ok(own.some(event => event.from === 'startup' && event.to === 'drain'));
      assert.ok(told.model.filter(record => record.kind === 'sample' && record.port === port).length >= 15);
    }
    const last = told.model.findLast(record => record.kind === 'sample')!;
    assert.ok(Math.abs(last.timeMs - Date.now()) < 1000, `${last.timeMs} against ${Date.now()}`);
  });
  assert.equal(offered(), false, 'it went with its flood');
});

test('what somebody has loaded to stay is used and stays', { skip }, async () => {
  assert.equal(offered(), false);
  await run([bbr3Loader, 'load', '--telemetry']);
  const held = await holdBbr3(localHost);
  assert.equal(held.identity.forRuns, false);
  await assert.rejects(run([bbr3Loader, 'unload']), /1 process holds it; wait for the end of the runs that use it/);
  await held.release();
  assert.deepEqual((await removeLeftovers()).congestionControls, []);
  assert.equal(offered(), true);
  await run([bbr3Loader, 'unload']);
  assert.equal(offered(), false);
});

test('a run that is killed alone leaves nothing: its holder sees its end', { skip }, async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', holding],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  assert.equal(offered(), true);
  child.kill('SIGKILL');
  await until(() => !offered() || undefined, 20_000, 'the holder to take it away');
});

test('another machine takes it away itself where the connection to it is lost', { skip }, async () => {
  const { command: _, ...elsewhere } = localHost;
  const undo: string[] = [];
  let holder: number | undefined;
  const machine: OtherMachine = {
    ...elsewhere,
    name: 'left',
    undoAtEnd: async lines => void undo.push(...lines),
    start: (...words) => {
      const child = localHost.start(...words);
      holder = child.pid;
      return child;
    },
  };
  await (await holdBbr3(machine)).release();
  assert.equal(offered(), false);
  await holdBbr3(machine);
  process.kill(holder!, 'SIGKILL');
  await sleep(200);
  assert.equal(offered(), true);
  assert.equal(undo.length, 1, 'it is told once');
  await run(['sh', '-c', undo[0]!]);
  assert.equal(offered(), false);
});
