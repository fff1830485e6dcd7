/** The hosts of a trial, made for real: every path leads over the router, and nothing on them changes packets. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until, within } from '../../core/system/deadline.ts';
import { Lease, type LeaseRecord } from '../../core/system/lease.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { differences } from '../../shaper/topology/kernel-settings.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { enabledOffloads } from '../../shaper/topology/offloads.ts';
import { dumbbell, state } from '../e2e/support/hosts.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const skip = cannotRun ?? false;
const roles = ['server', 'router', 'client', 'other'] as const;
type Role = (typeof roles)[number];
const devices: Record<Role, string[]> = {
  server: ['eth0'],
  client: ['eth0'],
  other: ['eth0'],
  router: ['toServer', 'toClient', 'toFlooder'],
};

const on = (role: Role, ...argv: string[]) => dumbbell.hosts[role].run(argv);
const text = ({ stdout }: { stdout: string }) => stdout.trim();
const linkRefused = (message: RegExp) => ({ code: 'link-refused', message });
const namespaces = (id: string) =>
  existsSync('/run/netns') ? readdirSync('/run/netns').filter(name => name.startsWith(`coexist-${id}-`)) : [];

describe('topology', { skip }, () => {
  test('every path to the client and back leads over the router', () => dumbbell.checkRoutes());

  test('offloads are off at every end, and one that is turned on anywhere is noticed', async () => {
    await dumbbell.checkOffloads();
    for (const [role, device] of [
      ['router', 'toFlooder'],
      ['client', 'eth0'],
    ] as const) {
      await on(role, 'ethtool', '-K', device, 'gro', 'on');
      await assert.rejects(
        dumbbell.checkOffloads(),
        linkRefused(new RegExp(`offloads are on at ${role}'s ${device}: gro$`)),
      );
      await on(role, 'ethtool', '-K', device, 'gro', 'off');
    }
    await dumbbell.checkOffloads();
    for (const role of roles)
      for (const device of devices[role])
        assert.deepEqual(enabledOffloads((await on(role, 'ethtool', '-k', device)).stdout), [], `${role} ${device}`);
  });

  test('there is no IPv6', async () => {
    for (const role of roles) assert.equal((await on(role, 'ip', '-6', 'address')).stdout, '', role);
  });

  test('kernel settings are those of the table, whatever the machine has; another value is found', async () => {
    for (const role of roles) assert.deepEqual(await differences(dumbbell.hosts[role]), [], role);
    assert.equal(await on('server', 'cat', '/proc/sys/net/ipv4/tcp_wmem').then(text), '4096\t16384\t268435456');
    assert.equal(await on('client', 'cat', '/proc/sys/net/ipv4/tcp_congestion_control').then(text), 'reno');
    await on('server', 'sysctl', '-q', '-w', 'net.ipv4.tcp_wmem=4096 16384 65536', 'net.ipv4.tcp_sack=0');
    assert.deepEqual(
      (await differences(dumbbell.hosts.server)).map(line => line.split(' (')[0]),
      [
        'net.ipv4.tcp_wmem of server is 4096 16384 65536, not 4096 16384 268435456',
        'net.ipv4.tcp_sack of server is 0, not 1',
      ],
    );
    await on('server', 'sysctl', '-q', '-w', 'net.ipv4.tcp_wmem=4096 16384 268435456', 'net.ipv4.tcp_sack=1');
  });

  test('neighbours are permanent', async () => {
    for (const role of roles) {
      const neighbours = JSON.parse((await on(role, 'ip', '-j', 'neigh')).stdout) as { dev: string; state: string[] }[];
      assert.deepEqual(
        neighbours.map(({ dev, state: states }) => [dev, states]).sort(),
        devices[role].map(device => [device, ['PERMANENT']]).sort(),
        role,
      );
    }
  });

  test('nobody sends or believes ICMP redirects', async () => {
    for (const role of roles) {
      for (const device of ['all', 'default', ...devices[role]]) {
        for (const setting of ['send_redirects', 'accept_redirects'])
          assert.equal(
            (await on(role, 'sysctl', '-n', `net.ipv4.conf.${device}.${setting}`)).stdout.trim(),
            '0',
            `${role} ${device} ${setting}`,
          );
      }
    }
  });

  test('a path past the router is refused', async () => {
    await on('server', 'ip', 'route', 'add', '10.0.2.2/32', 'dev', 'eth0');
    await assert.rejects(
      dumbbell.checkRoutes(),
      linkRefused(/^route check: server would reach 10\.0\.2\.2 by a direct link instead of the router 10\.0\.1\.1$/),
    );
    await on('server', 'ip', 'route', 'delete', '10.0.2.2/32');
    await on('client', 'ip', 'route', 'add', '10.0.3.2/32', 'via', '10.0.2.77', 'onlink', 'dev', 'eth0');
    await assert.rejects(
      dumbbell.checkRoutes(),
      linkRefused(/^route check: client would reach 10\.0\.3\.2 by 10\.0\.2\.77 instead/),
    );
    await on('client', 'ip', 'route', 'delete', '10.0.3.2/32');
    await dumbbell.checkRoutes();
  });

  test('a host without a path, or without an answer, is refused', async () => {
    await on('other', 'ip', 'route', 'delete', 'default');
    await assert.rejects(dumbbell.checkRoutes(), linkRefused(/unreachable/));
    await on('other', 'ip', 'route', 'add', 'default', 'via', '10.0.3.1');
    await on('client', 'sysctl', '-q', '-w', 'net.ipv4.icmp_echo_ignore_all=1');
    await assert.rejects(
      dumbbell.checkRoutes(),
      linkRefused(/^route check: ping from (server|other) to client was not answered$/),
    );
    await on('client', 'sysctl', '-q', '-w', 'net.ipv4.icmp_echo_ignore_all=0');
    await dumbbell.checkRoutes();
  });

  test('two can be built at once, and removal leaves nothing', async () => {
    const leases = [Lease.open(state), Lease.open(state)];
    const built = await Promise.all(leases.map(own => Dumbbell.build(own, twoSenders)));
    await Promise.all(built.map(other => other.checkRoutes()));
    const sleeper = built[0]!.hosts.client.start('sleeper', ['sleep', '600']);
    await until(
      async () => ((await built[0]!.hosts.client.processIds()).length === 1 ? true : undefined),
      30_000,
      'the sleeper to begin',
    );
    for (const own of leases) assert.equal(namespaces(own.id).length, roles.length);
    await Promise.all(built.map(other => other.remove()));
    const { signal } = await within(sleeper.ended, 30_000, 'the sleeper to end');
    assert.equal(signal, 'SIGKILL');
    for (const own of leases) {
      assert.deepEqual(namespaces(own.id), []);
      assert.deepEqual((JSON.parse(readFileSync(join(state, `${own.id}.json`), 'utf8')) as LeaseRecord).namespaces, []);
      own.release();
    }
    await dumbbell.checkRoutes();
  });
});
