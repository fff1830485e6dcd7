/**
 * Any number of hosts on either side of one bottleneck, made for real: all share one queue, and none reaches another
 * past it. That they share its rate: tests/e2e. More hosts: tests/long.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Host } from '../../core/system/host.ts';
import { Lease } from '../../core/system/lease.ts';
import type { Link, LossModel } from '../../core/vocabulary/link.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { shapedLinkOf, tcLink } from '../e2e/support/links.ts';
import { hasManyHosts, names, own, ping, rateBps, state } from '../e2e/support/many-hosts.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const two = { left: ['server', 'other'], right: ['client', 'client-2'] } as const;

async function received(host: Host): Promise<number> {
  const { stdout } = await host.run(['ip', '-j', '-s', 'link', 'show', 'dev', 'eth0']);
  return (JSON.parse(stdout) as { stats64: { rx: { packets: number } } }[])[0]!.stats64.rx.packets;
}

describe('two hosts on each side', { skip: cannotRun }, () => {
  let lease: Lease;
  let dumbbell: Dumbbell<(typeof two)['left' | 'right'][number]>;
  let shapedLink: ShapedLink;

  before(async () => {
    lease = Lease.open(state);
    dumbbell = await Dumbbell.build(lease, two);
    shapedLink = shapedLinkOf(dumbbell);
  });
  after(async () => {
    await dumbbell?.remove();
    lease?.release();
  });

  test('each is reached over exactly one router, at an address of its own', async () => {
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]);
    assert.deepEqual(dumbbell.addresses, {
      server: '10.0.1.2',
      other: '10.0.3.2',
      client: '10.0.2.2',
      'client-2': '10.0.2.3',
    });
    const { hosts, addresses } = dumbbell.network('other', 'client-2');
    assert.deepEqual(
      [hosts.server.name, hosts.client.name, addresses],
      ['other', 'client-2', { server: '10.0.3.2', client: '10.0.2.3' }],
    );
  });

  test('only the pairs in use have to reach each other', async () => {
    const { host } = dumbbell.right[1]!;
    await host.run(['ip', 'route', 'del', 'default']);
    await dumbbell.checkRoutes([0]);
    await assert.rejects(dumbbell.checkRoutes([0, 1]), { code: 'link-refused' });
    await assert.rejects(dumbbell.checkRoutes(), { code: 'link-refused' });
    await host.run(['ip', 'route', 'add', 'default', 'via', '10.0.2.1']);
    await dumbbell.checkRoutes();
  });

  test('an offload that is turned on behind the bottleneck is noticed', async () => {
    const { host, device } = dumbbell.behindBottleneck;
    await host.run(['ethtool', '-K', device, 'gro', 'on']);
    await assert.rejects(dumbbell.checkOffloads(), {
      code: 'link-refused',
      message: /offloads are on at switch's uplink: gro$/,
    });
    await host.run(['ethtool', '-K', device, 'gro', 'off']);
  });

  for (const backend of ['tc', 'emulator'] as const) {
    test(`${backend}: what goes to either passes the one queue, and comes to that client alone`, async () => {
      await shapedLink.set({ ...tcLink(rateBps, { unit: 'packets', value: 100 }), backend }, 1);
      const { server, other, client, 'client-2': second } = dumbbell.hosts;
      const before = [await received(client), await received(second)];
      await Promise.all([
        ping(server, dumbbell.addresses.client, '-c', '20', '-i', '0.02'),
        ping(other, dumbbell.addresses['client-2'], '-c', '30', '-i', '0.02'),
      ]);
      const { sentPackets } = await shapedLink.counters();
      assert.deepEqual(
        [sentPackets, (await received(client)) - before[0]!, (await received(second)) - before[1]!],
        [50, 20, 30],
      );
      // the same by the devices opposite, of hosts on either side
      const all = [second, server, client, other];
      assert.deepEqual(
        (await dumbbell.received(all)).map(({ packets }) => packets),
        await Promise.all(all.map(received)),
      );
    });

    test(`${backend}: what is lost after the queue is lost for both`, async () => {
      const loss: LossModel = { kind: 'independent', ratio: 1, where: 'after' };
      const link: Link = { ...tcLink(rateBps, { unit: 'packets', value: 100 }), loss, backend };
      await shapedLink.set(link, 1);
      await shapedLink.verify();
      const { server, other, client, 'client-2': second } = dumbbell.hosts;
      const before = [await received(client), await received(second)];
      await Promise.all([
        ping(server, dumbbell.addresses.client, '-c', '5', '-i', '0.02', '-W', '0.2'),
        ping(other, dumbbell.addresses['client-2'], '-c', '5', '-i', '0.02', '-W', '0.2'),
      ]);
      const { sentPackets, loss: lost } = await shapedLink.counters();
      assert.deepEqual(
        [sentPackets, (await received(client)) - before[0]!, (await received(second)) - before[1]!],
        [10, 0, 0],
      );
      assert.deepEqual(
        lost.map(({ lostPackets }) => lostPackets),
        [5, 5],
      );
    });
  }

  test('no path leads from client to client', async () => {
    const { status } = await ping(dumbbell.hosts.client, dumbbell.addresses['client-2'], '-c', '1', '-W', '1');
    assert.notEqual(status, 0);
  });

  test('removed, nothing is left of them', async () => {
    await shapedLink.clear();
    assert.equal((await own(lease)).length, 6);
    await dumbbell.remove();
    assert.deepEqual(await own(lease), []);
  });
});

hasManyHosts(8);

test('what cannot be made is refused before anything is made', { skip: cannotRun }, async () => {
  const lease = Lease.open(state);
  const cases: [{ left: string[]; right: string[] }, string][] = [
    [{ left: names('left', 65), right: ['client'] }, 'network: 1 to 64 hosts fit on the left, not 65'],
    [{ left: ['server'], right: [] }, 'network: 1 to 64 hosts fit on the right, not 0'],
    [{ left: ['server'], right: ['server'] }, 'network: the name "server" is taken by another host'],
    [{ left: ['router'], right: ['client'] }, 'network: the name "router" is taken by another host'],
    [
      { left: ['my host'], right: ['client'] },
      'network: "my host" is no name of a host: use up to 40 small letters, digits and "-"',
    ],
  ];
  for (const [sides, message] of cases)
    await assert.rejects(Dumbbell.build(lease, sides), { code: 'bad-definition', message });
  assert.deepEqual(await own(lease), []);
  lease.release();
});
