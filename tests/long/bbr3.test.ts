/**
 * BBRv3 on the wire: its budgets, connections that are short, floods of other kinds, and several runs that hold it at
 * once. That a flood gets it, proves it and leaves nothing: tests/e2e.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { sleep, until, within } from '../../core/system/deadline.ts';
import { localHost, machineOf } from '../../core/system/local-host.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { bbr3Loader, holdBbr3 } from '../../shaper/bbr3/loader.ts';
import { keepBbr3 } from '../../shaper/bbr3/shared-hold.ts';
import { type Bbr3Sample, watchBbr3 } from '../../shaper/bbr3/telemetry.ts';
import { dumbbell, flood, holding, offered, skip } from '../e2e/support/bbr3-floods.ts';

test("with the budget of Google's kernel it is loaded anew, and says so; so it is with the draft's again", {
  skip,
}, async () => {
  for (const bbr3Budget of ['kernel', 'draft']) {
    await flood({ congestionControl: 'bbr3', bbr3Budget }, async running => {
      await sleep(1000);
      const { label, evidence, loaded } = await running.read();
      assert.equal(
        label,
        bbr3Budget === 'kernel'
          ? "BBRv3 (draft-ietf-ccwg-bbr, budget of Google's kernel)"
          : 'BBRv3 (draft-ietf-ccwg-bbr)',
      );
      assert.match(evidence, new RegExp(`the budget "${bbr3Budget}"$`));
      assert.equal(loaded!.budget, bbr3Budget);
      await assert.rejects(
        holdBbr3(localHost, bbr3Budget === 'kernel' ? 'draft' : 'kernel'),
        /it is loaded with the budget/,
      );
    });
  }
});

test('a connection that begins and ends between two looks at the telemetry is told', { skip }, async () => {
  const held = await holdBbr3(localHost);
  const { hosts, addresses } = dumbbell.network('other', 'client');
  const machine = machineOf(hosts.server);
  const told = { samples: [] as Bbr3Sample[], counted: false };
  const watch = watchBbr3(machine, await machine.give(bbr3Loader), 3000, {
    sample: sample => told.samples.push(sample),
    counters: () => (told.counted = true),
    event: () => {},
  });
  const receiver = hosts.client.start('iperf3', ['iperf3', '-s', '-1', '-p', '5999']);
  try {
    await until(() => told.counted || undefined, 5000, 'the counters', { code: 'service-failed' });
    await hosts.server.run(['iperf3', '-c', addresses.client, '-p', '5999', '-C', 'bbr3', '-n', '64K']);
    const ended = () => told.samples.find(sample => sample.destinationPort === 5999 && sample.ended);
    const sample = await until(ended, 8000, 'the connection', { code: 'service-failed' });
    assert.ok(sample.acknowledgments > 0 && sample.ringHits > 0, JSON.stringify(sample));
  } finally {
    await watch.stop();
    await receiver.stop();
    await held.release();
  }
});

test('flows begin one after another, each with its own start and result', { skip }, async () => {
  await flood({ congestionControl: 'bbr3', flows: 3, stagger: '1s', telemetry: false }, async (running, told) => {
    assert.equal((await running.read()).flows.length, 1);
    await sleep(4000);
    await running.sample();
    const { flows } = await running.read();
    assert.equal(flows.length, 3);
    for (let i = 1; i < 3; i++)
      assert.ok(Math.abs(flows[i]!.startMs - flows[i - 1]!.startMs - 1000) < 400, JSON.stringify(flows));
    assert.ok(flows[0]!.sentBytes! > flows[2]!.sentBytes!);
    assert.equal(new Set(told.tcp.filter(record => record.end === 'receiver').map(record => record.port)).size, 3);
    assert.equal(told.model.length, 0);
  });
});

test('other floods say what they are, and have no model', { skip }, async () => {
  await flood({ congestionControl: 'cubic' }, async running => {
    const { label, flows, loaded } = await running.read();
    assert.deepEqual([label, flows[0]!.model, loaded], ['CUBIC', undefined, undefined]);
  });
});

test('flows one after another use the holder that there is, and one that is killed fails them', { skip }, async () => {
  const kept = keepBbr3();
  const holder = async () => (await run(['pgrep', '-P', String(process.pid), '-f', 'coexist-bbr3 hold'])).stdout.trim();
  let first = '';
  await flood({ congestionControl: 'bbr3' }, async () => void (first = await holder()));
  assert.match(first, /^\d+$/);
  assert.equal(offered(), true);
  await flood({ congestionControl: 'bbr3' }, async ({ failed }) => {
    assert.equal(await holder(), first);
    process.kill(Number(first), 'SIGKILL');
    await assert.rejects(within(failed, 5000, 'the failure'), { code: 'service-failed', message: /ended by SIGKILL$/ });
  });
  await flood({ congestionControl: 'bbr3' }, async () => assert.notEqual(await holder(), first));
  await kept.release();
  assert.equal(offered(), false);
});

/** A run that holds BBRv3, with what a container has of its own: process ids, and /run with the leases. */
async function runInContainer(): Promise<Record<'end' | 'kill', () => Promise<void>>> {
  const inside =
    'mount -t tmpfs tmpfs /run && exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"';
  const container = ['--mount', '--pid', '--mount-proc', '--fork', '--kill-child'];
  const child = spawn('unshare', [...container, '--', 'sh', '-c', inside, process.execPath, holding], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  assert.equal(String((await Promise.race([once(child.stdout, 'data'), closed]))[0]), 'held');
  return {
    async end() {
      child.stdin.end();
      await closed;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('containers on one kernel count each other, and what a killed one left is taken away by the next', {
  skip,
}, async () => {
  const first = await runInContainer();
  const second = await runInContainer();
  await first.end();
  assert.equal(offered(), true, 'the second one still uses it');
  assert.deepEqual((await removeLeftovers()).congestionControls, [], 'nor does cleaning take it');
  const third = await runInContainer();
  await third.kill();
  assert.equal(offered(), true);
  await second.kill();
  assert.equal(offered(), true, 'nobody was left to take it away');
  assert.deepEqual((await removeLeftovers()).congestionControls, ['bbr3']);
  assert.equal(offered(), false);
  await (await runInContainer()).kill();
  const held = await holdBbr3(localHost, 'kernel');
  assert.equal(held.identity.budget, 'kernel', 'nor does it bind the next run to its budget');
  await held.release();
  assert.equal(offered(), false);
});
