/** BBRv3 on the wire: the flood that asks for it gets it, proves it, and leaves the machine as it was. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../core/system/command.ts';
import { sleep, until, within } from '../../core/system/deadline.ts';
import type { OtherMachine } from '../../core/system/host.ts';
import { Lease } from '../../core/system/lease.ts';
import { localHost, machineOf } from '../../core/system/local-host.ts';
import { SeriesListeners } from '../../harness/record/schema/series-listeners.ts';
import { type Bbr3Record, bbr3Series } from '../../harness/record/series/bbr3.ts';
import { type TcpRecord, tcpSeries } from '../../harness/record/series/tcp.ts';
import type { TransportReading } from '../../harness/record/transport.ts';
import { plugin as iperf3 } from '../../harness/services/iperf/index.ts';
import type { RunningService } from '../../harness/services/service.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { bbr3Loader, holdBbr3 } from '../../shaper/bbr3/loader.ts';
import { keepBbr3 } from '../../shaper/bbr3/shared-hold.ts';
import { type Bbr3Sample, watchBbr3 } from '../../shaper/bbr3/telemetry.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { whyNoBbr3 } from './support/bbr3.ts';
import { shapedLinkOf, tcLink } from './support/links.ts';
import type { TwoSenders } from './support/two-senders.ts';

after(async () => {
  // before its folder goes
  if (skip !== false) return;
  await dumbbell.remove();
  lease.release();
});
process.env['COEXIST_STATE_DIR'] = temporaryFolder();
const skip = (await whyNoBbr3()) ?? false;
const offered = () =>
  readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').split(/\s+/).includes('bbr3');

let lease: Lease;
let dumbbell: TwoSenders;
before(async () => {
  if (skip !== false) return;
  lease = Lease.open();
  dumbbell = await Dumbbell.build(lease, twoSenders);
  await shapedLinkOf(dumbbell).set(tcLink(20e6, { unit: 'packets', value: 100 }), 1);
});
/** A flood in use: `read`: what it really is, read now. */
type Running = { sample(): Promise<void>; read(): Promise<TransportReading>; failed: RunningService['failed'] };

async function flood(
  params: Record<string, unknown>,
  use: (running: Running, told: { tcp: TcpRecord[]; model: Bbr3Record[] }) => Promise<void>,
): Promise<void> {
  const told = { tcp: [] as TcpRecord[], model: [] as Bbr3Record[] };
  const network = dumbbell.network('other', 'client');
  const asked = iperf3.params.parse(params);
  const prepared = await iperf3.prepare({ network, scratch: lease.scratch, headed: false }, asked);
  const listeners = new SeriesListeners()
    .on(tcpSeries, record => told.tcp.push(record))
    .on(bbr3Series, record => told.model.push(record));
  const running = await prepared.open({ directory: lease.scratch, write: listeners.tell }, asked);
  const read = async () => {
    await running.collect();
    return running.transport()!;
  };
  try {
    await use({ sample: async () => void (await running.collect()), read, failed: running.failed }, told);
  } finally {
    await running.stop();
  }
}

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

const holding = `
  import { localHost } from '${fileURLToPath(new URL('../../core/system/local-host.ts', import.meta.url))}';
  import { holdBbr3 } from '${fileURLToPath(new URL('../../shaper/bbr3/loader.ts', import.meta.url))}';
  const held = await holdBbr3(localHost);
  process.stdout.write('held');
  for await (const _ of process.stdin);
  await held.release();`;

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
