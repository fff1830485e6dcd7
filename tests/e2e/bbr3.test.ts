/** BBRv3 on the wire: the flood that asks for it gets it, proves it, and leaves the machine as it was. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sleep, until } from '../../core/deadline.ts';
import { Lease, orphanedLeases } from '../../core/lease.ts';
import { machineOf } from '../../core/local-host.ts';
import { loadPlugins } from '../../core/plugins.ts';
import type { TransportReading } from '../../harness/record/transport.ts';
import type { RunningService, ServicePlugin } from '../../harness/services/service.ts';
import type { Bbr3Record, TcpRecord } from '../../harness/record/series.ts';
import { releaseCongestionControls } from '../../harness/runner/congestion-controls.ts';
import { removeLeftovers } from '../../harness/runner/leftovers.ts';
import { bbr3Loader, ensureBbr3, unloadBbr3 } from '../../shaper/bbr3/loader.ts';
import { watchBbr3 } from '../../shaper/bbr3/telemetry.ts';
import type { Bbr3Sample } from '../../shaper/bbr3/telemetry.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import type { TwoSenders } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { whyNoBbr3 } from './support/bbr3.ts';
import { boxOf, tcLink } from './support/links.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';

after(async () => {
  // before its folder goes
  if (skip !== false) return;
  await dumbbell.remove();
  await releaseCongestionControls(lease);
  lease.release();
});
process.env['COEXIST_STATE_DIR'] = temporaryFolder();
const skip = (await whyNoBbr3()) ?? false;
const iperf3 = (await loadPlugins<ServicePlugin>(new URL('../../harness/services/', import.meta.url), 'service')).get(
  'iperf',
)!;
const offered = () =>
  readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').split(/\s+/).includes('bbr3');

let lease: Lease;
let dumbbell: TwoSenders;
before(async () => {
  if (skip !== false) return;
  lease = Lease.open();
  dumbbell = await Dumbbell.build(lease, twoSenders);
  await boxOf(dumbbell).set(tcLink(20e6, { unit: 'packets', value: 100 }), 1);
});
/** A flood in use: `read`: what it really is, read now. */
type Running = { sample(): Promise<void>; read(): Promise<TransportReading>; failed: RunningService['failed'] };

async function flood(
  params: Record<string, unknown>,
  use: (running: Running, told: { tcp: TcpRecord[]; model: Bbr3Record[] }) => Promise<void>,
): Promise<void> {
  const told = { tcp: [] as TcpRecord[], model: [] as Bbr3Record[] };
  const network = dumbbell.network('flooder', 'client');
  const asked = iperf3.params.parse(params) as never;
  const prepared = await iperf3.prepare({ network, lease, scratch: lease.scratch, headed: false }, asked);
  const nothing = () => {};
  const trial = {
    directory: lease.scratch,
    frames: nothing,
    stats: nothing,
    page: nothing,
    sender: nothing,
    caller: nothing,
    progress: nothing,
  };
  const running = await prepared.open(
    { ...trial, tcp: record => told.tcp.push(record), model: record => told.model.push(record) },
    asked,
  );
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
  assert.deepEqual(lease.congestionControls, ['bbr3']);
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
        ensureBbr3(() => {}, { budget: bbr3Budget === 'kernel' ? 'draft' : 'kernel' }),
        /it was loaded with the budget/,
      );
    });
  }
});

test('a connection that begins and ends between two looks at the telemetry is told', { skip }, async () => {
  await ensureBbr3(() => lease.addCongestionControl('bbr3'));
  const { hosts, addresses } = dumbbell.network('flooder', 'client');
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

test('the end of a run takes it away, what was there before stays', { skip }, async () => {
  await releaseCongestionControls(lease);
  assert.equal(offered(), false);
  await ensureBbr3(() => {});
  const other = Lease.open();
  await ensureBbr3(() => other.addCongestionControl('bbr3'));
  await releaseCongestionControls(other);
  other.release();
  assert.equal(offered(), true);
  await unloadBbr3();
});

test('what a killed run loaded is taken away by the next', { skip }, async () => {
  const script = `
    import { Lease } from '${fileURLToPath(new URL('../../core/lease.ts', import.meta.url))}';
    import { ensureBbr3 } from '${fileURLToPath(new URL('../../shaper/bbr3/loader.ts', import.meta.url))}';
    const lease = Lease.open();
    await ensureBbr3(() => lease.addCongestionControl('bbr3'));
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { stdio: 'inherit' },
  );
  await once(child, 'close');
  assert.equal(offered(), true);
  assert.deepEqual(
    orphanedLeases().map(orphan => orphan.record.congestionControls),
    [['bbr3']],
  );
  assert.deepEqual((await removeLeftovers()).congestionControls, ['bbr3']);
  assert.equal(offered(), false);
});
