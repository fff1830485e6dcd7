/** Several hosts on either side of one bottleneck, made for real: all share one queue, and none on the right reaches another past it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Host } from '../../core/host.ts';
import { Lease } from '../../core/lease.ts';
import type { LinkBox } from '../../shaper/backend/link-box.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { boxOf, tcLink } from './support/links.ts';
import { allNamespaces, cannotRun } from './support/run-command.ts';

const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
const rateBps = 4e6;

const build = (own: Lease) => Dumbbell.build(own, { left: ['server', 'flooder'], right: ['client', 'second'] });

let lease: Lease;
let dumbbell: Awaited<ReturnType<typeof build>>;
let box: LinkBox;

before(async () => {
  if (cannotRun !== undefined) return;
  lease = Lease.open(state);
  dumbbell = await build(lease);
  box = boxOf(dumbbell);
});

after(async () => {
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

async function received(host: Host): Promise<number> {
  const { stdout } = await host.run(['ip', '-j', '-s', 'link', 'show', 'dev', 'eth0']);
  return (JSON.parse(stdout) as { stats64: { rx: { packets: number } } }[])[0]!.stats64.rx.packets;
}

const ping = (from: Host, to: string, ...words: string[]) => from.run(['ping', '-n', '-q', ...words, to], { allowFailure: true });

describe('two hosts on the right', { skip: cannotRun }, () => {
  test('the first is reached as before, the second over exactly one router, and its address is its own', async () => {
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]);
    assert.notEqual(dumbbell.addresses.second, dumbbell.addresses.client);
  });

  test('what goes to either passes the one queue, and comes to that client alone', async () => {
    await box.set(tcLink(rateBps, { unit: 'packets', value: 100 }), 1);
    const { server, flooder, client } = dumbbell.hosts;
    const before = [await received(client), await received(dumbbell.hosts.second)];
    await Promise.all([ping(server, dumbbell.addresses.client, '-c', '20', '-i', '0.02'), ping(flooder, dumbbell.addresses.second, '-c', '30', '-i', '0.02')]);
    const { sentPackets } = await box.counters();
    assert.deepEqual([sentPackets, await received(client) - before[0]!, await received(dumbbell.hosts.second) - before[1]!], [50, 20, 30]);
  });

  test('together they get the rate of one link, and fill its queue', async () => {
    await box.set(tcLink(rateBps, { unit: 'packets', value: 20 }), 1);
    const { server, flooder } = dumbbell.hosts;
    const seconds = 2;
    const flood = ['-f', '-l', '50', '-s', '1400', '-w', String(seconds)];
    await Promise.all([ping(server, dumbbell.addresses.client, ...flood), ping(flooder, dumbbell.addresses.second, ...flood)]);
    const { sentBytes, droppedPackets } = await box.counters();
    const gotBps = sentBytes * 8 / seconds;
    assert.ok(gotBps > 0.9 * rateBps && gotBps < 1.1 * rateBps && droppedPackets > 100, `${gotBps} bit/s, ${droppedPackets} dropped`);
  });

  test('no way leads from client to client', async () => {
    const { status } = await ping(dumbbell.hosts.client, dumbbell.addresses.second, '-c', '1', '-W', '1');
    assert.notEqual(status, 0);
  });

  test('removed, nothing is left of them', async () => {
    await box.clear();
    const own = (await allNamespaces()).filter(name => name.includes(lease.id));
    assert.equal(own.length, 6);
    await dumbbell.remove();
    assert.deepEqual((await allNamespaces()).filter(name => name.includes(lease.id)), []);
    lease.release();
    assert.deepEqual(readdirSync(state), []);
  });

  test('thirty-two on either side reach each other, share the queue, and are gone again', async () => {
    const own = Lease.open(state);
    const names = (side: string) => Array.from({ length: 32 }, (_, k) => `${side}-${k + 1}`);
    const wide = await Dumbbell.build(own, { left: names('left'), right: names('right') });
    try {
      await wide.checkRoutes();
      const wideBox = boxOf(wide);
      const link = tcLink(rateBps, { unit: 'packets', value: 100 });
      await wideBox.set({ ...link, backend: 'emulator', ways: Object.fromEntries(wide.left.map(({ host }, k) => [host.name, { ...Object.values(link.ways)[0]!, downMs: k % 4 }])) }, 1);
      await Promise.all(wide.left.map(({ host }, k) => ping(host, wide.right[k]!.address, '-c', '5', '-i', '0.05')));
      assert.equal((await wideBox.counters()).sentPackets, 32 * 5);
      await wideBox.clear();
    } finally {
      await wide.remove();
      own.release();
    }
    assert.deepEqual((await allNamespaces()).filter(name => name.includes(own.id)), []);
  });
});
