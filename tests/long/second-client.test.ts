/** Two clients behind one bottleneck, made for real: both share one queue, and neither reaches the other past it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Host } from '../../core/host.ts';
import { Lease } from '../../core/lease.ts';
import type { LinkBox } from '../../shaper/backend/link-box.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { SecondClient } from '../../shaper/topology/second-client.ts';
import { boxOf, tcLink } from '../e2e/support/links.ts';
import { allNamespaces, cannotRun } from '../e2e/support/run-command.ts';

const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
const rateBps = 4e6;

let lease: Lease;
let dumbbell: Dumbbell;
let second: SecondClient;
let box: LinkBox;

before(async () => {
  if (cannotRun !== undefined) return;
  lease = Lease.open(state);
  dumbbell = await Dumbbell.build(lease);
  second = await SecondClient.attach(dumbbell, lease);
  box = boxOf(dumbbell);
});

after(async () => {
  await second?.remove();
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

async function received(host: Host): Promise<number> {
  const { stdout } = await host.run(['ip', '-j', '-s', 'link', 'show', 'dev', 'eth0']);
  return (JSON.parse(stdout) as { stats64: { rx: { packets: number } } }[])[0]!.stats64.rx.packets;
}

const ping = (from: Host, to: string, ...words: string[]) => from.run(['ping', '-n', '-q', ...words, to], { allowFailure: true });

describe('two clients', { skip: cannotRun }, () => {
  test('the first is reached as before, the second over exactly one router, and its address is its own', async () => {
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads(), second.check()]);
    assert.notEqual(second.address, dumbbell.addresses.client);
  });

  test('what goes to either passes the one queue, and comes to that client alone', async () => {
    await box.set(tcLink(rateBps, { unit: 'packets', value: 100 }), 1);
    const { server, flooder, client } = dumbbell.hosts;
    const before = [await received(client), await received(second.host)];
    await Promise.all([ping(server, dumbbell.addresses.client, '-c', '20', '-i', '0.02'), ping(flooder, second.address, '-c', '30', '-i', '0.02')]);
    const { sentPackets } = await box.counters();
    assert.deepEqual([sentPackets, await received(client) - before[0]!, await received(second.host) - before[1]!], [50, 20, 30]);
  });

  test('together they get the rate of one link, and fill its queue', async () => {
    await box.set(tcLink(rateBps, { unit: 'packets', value: 20 }), 1);
    const { server, flooder } = dumbbell.hosts;
    const seconds = 2;
    const flood = ['-f', '-l', '50', '-s', '1400', '-w', String(seconds)];
    await Promise.all([ping(server, dumbbell.addresses.client, ...flood), ping(flooder, second.address, ...flood)]);
    const { sentBytes, droppedPackets } = await box.counters();
    const gotBps = sentBytes * 8 / seconds;
    assert.ok(gotBps > 0.9 * rateBps && gotBps < 1.1 * rateBps && droppedPackets > 100, `${gotBps} bit/s, ${droppedPackets} dropped`);
  });

  test('no way leads from client to client', async () => {
    const { status } = await ping(dumbbell.hosts.client, second.address, '-c', '1', '-W', '1');
    assert.notEqual(status, 0);
  });

  test('removed, nothing is left of them', async () => {
    await box.clear();
    const own = (await allNamespaces()).filter(name => name.includes(lease.id));
    assert.equal(own.length, 6);
    await second.remove();
    await dumbbell.remove();
    assert.deepEqual((await allNamespaces()).filter(name => name.includes(lease.id)), []);
    lease.release();
    assert.deepEqual(readdirSync(state), []);
  });
});
