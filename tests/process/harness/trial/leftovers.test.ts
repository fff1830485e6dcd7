import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../../core/system/command.ts';
import { until } from '../../../../core/system/deadline.ts';
import { Lease, type LeaseRecord } from '../../../../core/system/lease.ts';
import { type ProcessId, startTicks } from '../../../../core/system/process-id.ts';
import { describeCleaned, removeLeftovers } from '../../../../harness/trial/leftovers.ts';
import { namespaceProcessIds } from '../../../../shaper/topology/namespace-host.ts';
import { testName } from '../../../runner/test-names.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

/** Result of removeLeftovers if there is nothing to remove. */
const nothing = { runs: 0, namespaces: [], processes: [], congestionControls: [], uplinks: [], settings: [] };

const state = (process.env['COEXIST_STATE_DIR'] = temporaryFolder());
const skip = process.getuid?.() === 0 ? false : 'needs root, to make a network namespace';
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(...argv: string[]): ChildProcess {
  const child = spawn(argv[0]!, argv.slice(1), { stdio: 'ignore' });
  children.push(child);
  return child;
}

const idOf = (child: ChildProcess): ProcessId => ({ pid: child.pid!, startTicks: startTicks(child.pid!)! });
const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Writes a lease as a killed run leaves it, so that its owner does not exist. */
async function orphan(change: Partial<LeaseRecord>): Promise<LeaseRecord & { file: string }> {
  const owner = start('true');
  const record = {
    id: randomBytes(3).toString('hex'),
    owner: { pid: owner.pid!, startTicks: 1 },
    namespaces: [],
    processes: [],
    uplinks: [],
    scratch: join(state, randomBytes(3).toString('hex')),
    ...change,
  };
  await once(owner, 'close');
  mkdirSync(join(record.scratch, 'browser-1'), { recursive: true });
  const file = join(state, `${record.id}.json`);
  writeFileSync(file, JSON.stringify(record));
  return { ...record, file };
}

test('everything that a killed run listed is removed', { skip }, async () => {
  const namespace = testName();
  await run(['ip', 'netns', 'add', namespace]);
  try {
    const inside = start('nsenter', `--net=/run/netns/${namespace}`, '--', 'sleep', '600');
    await until(
      async () => (namespaceProcessIds([namespace]).length === 1 ? true : undefined),
      30_000,
      'a process in the namespace',
    );
    const listed = start('sleep', '600');
    const lease = await orphan({
      namespaces: [namespace, `${namespace}-never-made`],
      processes: [{ name: 'iperf3', ...idOf(listed) }],
    });
    const cleaned = await removeLeftovers();
    assert.deepEqual(cleaned, { ...nothing, runs: 1, namespaces: [namespace], processes: [`iperf3 (${listed.pid})`] });
    await until(() => (hasEnded(inside) && hasEnded(listed) ? true : undefined), 30_000, 'both processes to end');
    assert.deepEqual([inside.signalCode, listed.signalCode], ['SIGKILL', 'SIGKILL']);
    assert.ok(!existsSync(`/run/netns/${namespace}`));
    assert.ok(!existsSync(lease.scratch) && !existsSync(lease.file));
    assert.deepEqual(await removeLeftovers(), nothing);
  } finally {
    await run(['ip', 'netns', 'delete', namespace], { allowFailure: true });
  }
});

test('a process that has the number of a listed one, but began at another time, is left alone', async () => {
  const bystander = start('sleep', '600');
  const { pid, startTicks: ticks } = idOf(bystander);
  await orphan({ processes: [{ name: 'iperf3', pid, startTicks: ticks - 1 }] });
  assert.deepEqual(await removeLeftovers(), { ...nothing, runs: 1 });
  const signalled = await Promise.race([
    once(bystander, 'close'),
    new Promise(resolve => setImmediate(resolve, 'runs on')),
  ]);
  assert.equal(signalled, 'runs on');
  assert.equal(startTicks(pid), ticks);
});

test('a run that held two leases is one run, and both are removed', async () => {
  const { owner } = await orphan({});
  await orphan({ owner });
  await orphan({});
  assert.equal((await removeLeftovers()).runs, 2);
  assert.deepEqual(readdirSync(state), []);
});

test('what a living run has is left alone', async () => {
  const lease = Lease.open();
  lease.addProcess('self', process.pid);
  assert.deepEqual(await removeLeftovers(), nothing);
  assert.ok(existsSync(lease.scratch));
  lease.release();
});

test("settings that a killed run changed in somebody else's namespace are restored", { skip }, async () => {
  // the namespace of this test, and a file in place of a setting of the kernel
  const file = join(temporaryFolder(), 'forwarding');
  writeFileSync(file, '1\n');
  const holder = idOf(start('sleep', '600'));
  await orphan({
    settings: [
      { holder, file, before: '0' },
      { holder: { ...holder, startTicks: holder.startTicks - 1 }, file, before: '2' },
    ],
  });
  assert.deepEqual((await removeLeftovers()).settings, [file.replaceAll('/', '.')]);
  assert.equal(readFileSync(file, 'utf8'), '0\n');
});

test('what was removed is said in one line', () => {
  assert.equal(describeCleaned(nothing), undefined);
  assert.equal(
    describeCleaned({ ...nothing, runs: 1, namespaces: ['a', 'b'], processes: ['c'] }),
    'removed what 1 killed run left: 2 namespaces, 1 process',
  );
  assert.equal(describeCleaned({ ...nothing, runs: 2 }), 'removed what 2 killed runs left: 0 namespaces, 0 processes');
  assert.equal(
    describeCleaned({ ...nothing, runs: 1, congestionControls: ['bbr3'] }),
    'removed what 1 killed run left: 0 namespaces, 0 processes, congestion control bbr3',
  );
  assert.equal(
    describeCleaned({ ...nothing, congestionControls: ['bbr3'] }),
    'removed what a killed run left: congestion control bbr3',
    'one of a container whose leases nobody sees',
  );
  const settings = ['net.ipv4.conf.ingress.forwarding', 'net.ipv4.conf.ingress.rp_filter'];
  assert.equal(
    describeCleaned({ runs: 1, namespaces: [], processes: [], congestionControls: [], uplinks: [], settings }),
    'removed what 1 killed run left: 0 namespaces, 0 processes, 2 changed settings',
  );
});
