import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { within } from '../../../../core/system/deadline.ts';
import { ApplicationTunnel } from '../../../../harness/trial/application-tunnel.ts';
import type { RunningTunnel, TunnelPlace } from '../../../../harness/tunnels/tunnel.ts';
import { untilEnded } from '../../shaper/support/scripts.ts';
import { fakeHost } from '../support/fake-host.ts';

/** Returns an end of the tunnel whose capture reports `packets` packets when it ends. */
const end = (packets: number) => fakeHost(untilEnded(`echo "{\\"packets\\":${packets},\\"drops\\":0}"`));

function tunnel(packets: readonly [number, number], change: Partial<RunningTunnel> = {}) {
  const [server, client] = packets.map(end);
  const opened: TunnelPlace[] = [];
  const done: string[] = [];
  const own = new ApplicationTunnel(
    {
      tunnel: {
        title: 'pipe',
        port: 4433,
        open: async place => {
          opened.push(place);
          return {
            failed: new Promise<never>(() => {}),
            describe: () => ({ stack: 'pipe 1' }),
            stop: async () => void done.push('stopped'),
            ...change,
          };
        },
      },
      path: {
        hosts: { server: server!, client: client! },
        addresses: { server: '10.0.1.2', client: '10.0.2.2' },
      },
      serverAddress: '10.0.1.3',
    },
    { directory: '/run/x', report: () => {} },
  );
  return { own, opened, done, started: [server!.started, client!.started] };
}

test('it carries the port, with a witness at both ends before it begins, and a trial that kept to it is good', async () => {
  const { own, opened, done, started } = tunnel([0, 0]);
  assert.equal(own.isUsed, false);
  await own.carry(50_000);
  assert.equal(own.isUsed, true);
  assert.deepEqual(
    started.map(([argv]) => argv!.slice(1)),
    ['server', 'client'].map(side => ['eth0', join('/run/x', `beside-tunnel.${side}.pcap`), '4433']),
  );
  assert.deepEqual(opened[0]!.served, { address: '10.0.1.3', port: 50_000 });
  assert.deepEqual([opened[0]!.server.address, opened[0]!.client.address], ['10.0.1.2', '10.0.2.2']);
  await assert.rejects(own.carry(50_001), { code: 'service-failed', message: /carries a port already/ });
  own.describe();
  await own.stop();
  assert.deepEqual(own.reading, { facts: { stack: 'pipe 1' }, besidePackets: 0 });
  assert.deepEqual([done, own.findings()], [['stopped'], []]);
});

test('packets beside it make the trial void, and so does it when nobody has counted them', async () => {
  const { own } = tunnel([3, 4]);
  assert.match(own.findings()[0]!.message, /^nobody has counted/);
  await own.carry(50_000);
  await own.stop();
  assert.deepEqual(own.findings(), [
    {
      kind: 'link',
      status: 'invalid',
      message: 'UDP packets on the link outside of the tunnel: 7 (beside-tunnel.*.pcap)',
    },
  ]);
});

test('its failure is told, whoever waits', async () => {
  const died = new CoexistError(
    'server-died',
    "the client's end of the tunnel ended in the middle of the trial: SIGKILL",
  );
  const failed = Promise.reject(died);
  failed.catch(() => {});
  const { own } = tunnel([0, 0], { failed });
  await own.carry(50_000);
  await assert.rejects(within(own.failed, 30_000, 'the failure'), died);
  await own.stop();
  await own.stop();
});
