/** The doctor over machines that are reached by ssh, and what is left when something of it is killed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Capability } from '../../core/system/capability.ts';
import { until, within } from '../../core/system/deadline.ts';
import { sshCommand } from '../../shaper/topology/ssh/launch.ts';
import { SshHost } from '../../shaper/topology/ssh/ssh-host.ts';
import { Place, type Session } from '../e2e/support/run-command.ts';
import { type MachineName, noLab, SshLab } from './support/ssh-lab.ts';

type Report = {
  able: boolean;
  machines: { name: string; capabilities: Capability[] }[];
  network: Capability[];
  between: { from: string; to: string; over: string; roundTripUs: { base: number }; clock: Clock }[];
};
type Clock = { offsetUs: number; uncertaintyUs: number; drift: { driftPpm: number; uncertaintyPpm: number } };

describe('a lab over ssh', { skip: noLab }, () => {
  const place = new Place();
  let lab: SshLab;
  before(async () => {
    lab = await SshLab.build();
  });
  after(async () => {
    place.remove();
    await lab?.remove();
  });
  beforeEach(() => lab.waitUntilEmpty(5000));

  const start = (hosts: string, ...words: string[]): Session =>
    place.start(['doctor', '--hosts', hosts, ...words], {}, lab.onDesk);
  async function examine(hosts = lab.hostsFile()) {
    const { status, stdout, stderr } = await start(hosts, '--json').finish(60_000);
    assert.ok(stdout !== '', stderr);
    const report = JSON.parse(stdout) as Report;
    const parts = [...report.machines, { name: 'network', capabilities: report.network }];
    const find = (part: string, id: string) =>
      parts.find(({ name }) => name === part)!.capabilities.find(capability => capability.id === id)!;
    const failed = parts.flatMap(({ name, capabilities }) =>
      capabilities.filter(({ works, required }) => required && !works).map(({ id }) => `${name} ${id}`),
    );
    return { status, report, find, failed };
  }
  /** One of the agents there. */
  const agentOf = (name: MachineName) =>
    until(() => lab.running(name).find(({ line }) => /^\S+\/node -e /.test(line)), 20_000, `an agent on ${name}`);

  test('all is found, in a table and as JSON, and nothing is left', async () => {
    const { status, report, find, failed } = await examine();
    assert.deepEqual([failed, status, report.able], [[], 0, true]);
    for (const { name } of report.machines) {
      assert.match(find(name, 'reached').found, /^Node \d+\.\d+\.\d+; the kernel ends what a lost connection leaves$/);
      for (const id of ['root', 'kernel', 'tools', 'veth', 'htb', 'ifb', 'bpf', 'btf', 'congestion-controls'])
        assert.ok(find(name, id) !== undefined, `${name} ${id}`);
    }
    assert.equal(find('left', 'device-test0').found, '10.77.1.2/24, MTU 1500');
    assert.equal(find('left', 'speed-test0').found, 'unknown (veth)');
    assert.match(find('left', 'offloads-test0').found, /^on: .*tso/);
    assert.equal(find('shaper', 'forwarding').found, 'on');
    assert.equal(find('network', 'route-left-right').found, 'by 10.77.1.1 and 10.77.2.1 of shaper, over one router');
    assert.deepEqual(
      report.between.map(({ from, to, over }) => `${from} - ${to}: ${over}`),
      [
        'this machine - shaper: test network',
        'this machine - left: ssh',
        'this machine - right: ssh',
        'shaper - left: test network',
        'shaper - right: test network',
        'left - right: test network',
      ],
    );
    for (const { from, to, roundTripUs, clock } of report.between) {
      const pair = `${from} - ${to}`;
      assert.ok(roundTripUs.base > 0 && roundTripUs.base < 100_000, `${pair}: ${roundTripUs.base} us`);
      assert.ok(clock.uncertaintyUs >= roundTripUs.base / 2, pair);
      // one clock in truth, read by each process from an origin that it took at its start
      assert.ok(Math.abs(clock.offsetUs) <= clock.uncertaintyUs + 5000, `${pair}: ${JSON.stringify(clock)}`);
      assert.ok(Math.abs(clock.drift.driftPpm) <= clock.drift.uncertaintyPpm, `${pair}: ${JSON.stringify(clock)}`);
    }
    await lab.waitUntilEmpty(5000);
    const table = await start(lab.hostsFile()).finish(60_000);
    assert.equal(table.status, 0);
    assert.match(table.stdout, /^shaper\nok {3}reached by ssh +Node .*\nok {3}root +yes\n/);
    assert.match(table.stdout, /\ntest network\nok {3}route left - right +by /);
    assert.match(table.stdout, /\nthese machines can be used together\n$/);
  });

  test('another way past the router, and a router that does not forward', async () => {
    const left = lab.machine('left');
    await left.run(['ip', 'route', 'add', '10.77.2.2', 'via', '10.201.0.3']);
    try {
      const { status, find, failed } = await examine();
      assert.deepEqual([status, failed], [2, ['network route-left-right']]);
      assert.equal(
        find('network', 'route-left-right').found,
        'route check: left would reach 10.77.2.2 by 10.201.0.3 instead of the router 10.77.1.1',
      );
    } finally {
      await left.run(['ip', 'route', 'delete', '10.77.2.2']);
    }
    await lab.setForwarding(false);
    try {
      const { status, find, failed } = await examine();
      assert.deepEqual(
        [status, failed],
        [2, ['shaper forwarding', 'network route-left-right', 'network between-left-right']],
      );
      assert.equal(find('network', 'between-left-right').found, 'none of 80 probes came back');
    } finally {
      await lab.setForwarding(true);
    }
  });

  test('a machine without Node, one that is not there, one with another host key: the others are looked at', async () => {
    const strange = join(lab.scratch, 'strange_config');
    writeFileSync(
      strange,
      'Host *\nUserKnownHostsFile /dev/null\nGlobalKnownHostsFile none\nStrictHostKeyChecking yes\n',
    );
    const { status, find, failed } = await examine(
      lab.hostsFile({ shaper: { node: '/nowhere/node' }, right: { ssh: 'root@10.201.0.77' } }),
    );
    assert.deepEqual([status, failed], [2, ['shaper reached', 'right reached']]);
    assert.equal(find('shaper', 'reached').found, 'it has no program "/nowhere/node"');
    assert.match(find('right', 'reached').found, /^ssh root@10\.201\.0\.77 could not connect: .*No route to host/);
    assert.equal(find('left', 'root').found, 'yes');
    const destination = { ...lab.destination('left'), configFile: strange };
    await assert.rejects(SshHost.connect('left', destination, [...lab.onDesk, ...sshCommand(destination)]), {
      code: 'no-host',
      message: 'machine "left": ssh root@10.201.0.2 could not connect: Host key verification failed.',
    });
  });

  test('a harness that is killed leaves nothing', async () => {
    const session = start(lab.hostsFile());
    for (const name of ['shaper', 'left', 'right'] as const) await agentOf(name);
    session.process.kill('SIGKILL');
    await session.ended;
    await lab.waitUntilEmpty(15_000);
  });

  test('an agent that is killed, and an ssh that is killed: the doctor says so, and nothing is left', async () => {
    const session = start(lab.hostsFile(), '--json');
    process.kill((await agentOf('right')).pid, 'SIGKILL');
    await agentOf('left');
    const ssh = lab.running('desk').find(({ line }) => line.includes('root@10.201.0.2'))!;
    process.kill(ssh.pid, 'SIGKILL');
    const { status, stdout } = await session.finish(60_000);
    assert.equal(status, 2);
    const { machines } = JSON.parse(stdout) as Report;
    for (const name of ['left', 'right']) {
      const { capabilities } = machines.find(one => one.name === name)!;
      const found = capabilities.filter(({ works, required }) => required && !works).map(one => one.found);
      assert.match(found.join(), /connection was lost|agent could not be started|could not connect/, name);
    }
    await lab.waitUntilEmpty(15_000);
  });

  async function family(name: MachineName): Promise<SshHost> {
    const destination = lab.destination(name);
    const host = await SshHost.connect(name, destination, [...lab.onDesk, ...sshCommand(destination)]);
    const child = host.start('family', ['sh', '-c', 'sleep 7654 & setsid sleep 7654 & echo up; wait']);
    await within(once(child.process.stdout!, 'data'), 5000, 'the family');
    await until(
      () => (lab.running(name).filter(({ line }) => line === 'sleep 7654').length === 2 ? true : undefined),
      5000,
      'both',
    );
    return host;
  }

  test('programs end with their agent and with their ssh, also those that left its process group', async () => {
    for (const victim of [/^\S+\/node -e /, /ssh .*root@10\.201\.0\.2/]) {
      const host = await family('left');
      const lost = assert.rejects(host.failed, {
        code: 'host-lost',
        message: /^machine "left": the connection was lost /,
      });
      const one = [...lab.running('left'), ...lab.running('desk')].find(({ line }) => victim.test(line))!;
      process.kill(one.pid, 'SIGKILL');
      await lost;
      await lab.waitUntilEmpty(15_000);
    }
  });

  test('a cable that is pulled: the agent ends by itself, and the harness hears of it', async () => {
    const host = await family('right');
    const lost = assert.rejects(host.failed, { code: 'host-lost', message: /^machine "right": / });
    await lab.machine('desk').run(['ip', 'link', 'set', 'to-right', 'down']);
    try {
      await within(lost, 30_000, 'the loss');
      // sshd itself waits for its connection as it is set up to
      await lab.waitUntilEmpty(20_000, /^right: sshd: /);
    } finally {
      await lab.machine('desk').run(['ip', 'link', 'set', 'to-right', 'up']);
    }
    await lab.waitUntilEmpty(60_000);
  });
});
