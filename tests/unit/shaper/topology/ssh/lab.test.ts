import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import { estimateClock } from '../../../../../core/system/clock-estimate.ts';
import { Lab, type Reached } from '../../../../../shaper/topology/ssh/lab.ts';
import type { HostReading } from '../../../../../shaper/topology/topology.ts';

/** A connected machine; `devices`: address of each. */
function reached(name: string, role: Reached['role'], ...addresses: string[]) {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const devices = addresses.map((address, k) => ({ device: `eth${k + 1}`, address, prefixLength: 24 }));
  const host = { name, failed: failure.promise, lost: undefined as CoexistError | undefined };
  const lose = () => {
    host.lost = new CoexistError('host-lost', `machine "${name}": the connection was lost`);
    failure.reject(host.lost);
  };
  return { machine: { name }, role, host, devices, lose } as unknown as Reached & { lose(): void };
}
const shaper = () => reached('shaper', 'router', '10.77.1.1', '10.77.2.1', '10.77.3.1');

test('each machine hangs on the device of the router in its network', () => {
  const lab = new Lab([
    shaper(),
    reached('a', 'left', '10.77.1.2'),
    reached('b', 'left', '10.99.0.7', '10.77.3.2'),
    reached('c', 'right', '10.77.2.2'),
    reached('d', 'right', '10.77.2.3'),
  ]);
  assert.deepEqual(
    lab.left.map(({ host, ...end }) => ({ name: host.name, ...end })),
    [
      { name: 'a', address: '10.77.1.2', ownDevice: 'eth1', device: 'eth1', network: '10.77.1.0/24' },
      { name: 'b', address: '10.77.3.2', ownDevice: 'eth2', device: 'eth3', network: '10.77.3.0/24' },
    ],
  );
  assert.deepEqual(
    lab.right.map(({ host, address }) => [host.name, address]),
    [
      ['c', '10.77.2.2'],
      ['d', '10.77.2.3'],
    ],
  );
  assert.deepEqual(
    [lab.router.name, lab.bottleneckDevice, lab.rightNetwork, lab.behindBottleneck.device, lab.sharesDevice],
    ['shaper', 'eth2', '10.77.2.0/24', 'eth1', false],
  );
});

test('machines that are joined otherwise are refused by name', () => {
  const left = reached('a', 'left', '10.77.1.2');
  const right = reached('c', 'right', '10.77.2.2');
  const refused = (all: Reached[], message: RegExp) =>
    assert.throws(() => new Lab([shaper(), ...all]), { code: 'no-host', message });
  refused(
    [reached('a', 'left', '10.99.1.2'), right],
    /^machine "a": none of its devices is in a network of the router shaper$/,
  );
  refused(
    [left, right, reached('d', 'right', '10.77.3.9')],
    /^machine "d": it hangs on eth3 of the router, and c on eth2$/,
  );
  refused(
    [reached('a', 'left', '10.77.2.9'), right],
    /^machine "a": it is on the left, and hangs on the device eth2 of the right$/,
  );
  assert.equal(new Lab([shaper(), left, reached('b', 'left', '10.77.1.3'), right]).sharesDevice, true);
});

test('one that is lost is told, whichever it is', async () => {
  const machines = [shaper(), reached('a', 'left', '10.77.1.2'), reached('c', 'right', '10.77.2.2')];
  const lab = new Lab(machines);
  const code = () => lab.lost?.code;
  assert.equal(code(), undefined);
  machines[2]!.lose();
  await assert.rejects(lab.failed, { code: 'host-lost', message: /^machine "c"/ });
  assert.equal(code(), 'host-lost');
});

test('a study that needs more machines than there are is refused before any is asked', async () => {
  const machine = (name: string, role: 'router' | 'left' | 'right') => ({
    name,
    destination: { ssh: 'root@nowhere', port: null, configFile: null, node: 'node' },
    roles: [role],
    devices: [],
  });
  await assert.rejects(
    Lab.build([machine('shaper', 'router'), machine('a', 'left'), machine('c', 'right')], 2, () => ({
      takeOff: [],
      tables: [],
    })),
    {
      code: 'no-host',
      message: 'the study needs a router and 2 machines on either side, and the roles of shaper, a, c leave less',
    },
  );
});

test('a trial is told how busy each machine was, from its beginning to its end', async () => {
  const machines = [shaper(), reached('a', 'left', '10.77.1.2'), reached('c', 'right', '10.77.2.2')];
  let ticks = 0;
  for (const { host } of machines) {
    const estimate = estimateClock([{ t1: 0, t2: 1, t3: 1, t4: 2 }])!;
    Object.assign(host, {
      beginClock: async () => {},
      endClock: async () => ({ over: 'ssh', estimate }),
      read: async () => `cpu ${ticks} 0 0 0 0 0 0 ${ticks / 10}\ncpu0 0\ncpu1 0\n`,
    });
  }
  const lab = new Lab(machines);
  await lab.begin();
  const startMs = nowMs();
  ticks = 1e6;
  const [{ load }] = (await lab.describe()) as [HostReading];
  const seconds = Math.max(1e-3, (nowMs() - startMs) / 1000);
  // 10 000 s of work in a moment: at least that share
  assert.ok(load.busyShare >= 1e4 / 2 / (seconds + 0.1), `${load.busyShare}`);
  assert.ok(Math.abs(load.stolenCores / load.busyShare - 0.2) < 1e-6, `${load.stolenCores}`);
});
