import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '../../../../../core/system/command.ts';
import type { Host } from '../../../../../core/system/host.ts';
import { CongestionRoute } from '../../../../../harness/services/shared/congestion-route.ts';
import { fakeHost } from '../../support/fake-host.ts';

/** Returns a host that answers `ip` and `ss`, and records their arguments. */
function host(
  sockets: string,
  defaultRoute = [{ dst: 'default', gateway: '10.0.1.1', dev: 'eth0' }],
): Host & { told: string[] } {
  const told: string[] = [];
  return {
    ...fakeHost('true'),
    told,
    async run(argv, options): Promise<Output> {
      told.push([...argv, ...(options?.input === undefined ? [] : [String(options.input).trim()])].join(' '));
      const stdout = argv[0] === 'ss' ? sockets : argv.includes('-j') ? JSON.stringify(defaultRoute) : '';
      return { status: 0, signal: null, stdout, stderr: '' };
    },
  };
}

const socket = (port: number, congestionControl: string, bytesSent: number, client = '10.0.2.2') =>
  `ESTAB 0 0 10.0.1.2:8100 ${client}:${port} ts sack ${congestionControl} wscale:7,7 rto:204 rtt:50.1/0.2 cwnd:10 ` +
  `bytes_sent:${bytesSent} bytes_retrans:1448 bytes_acked:${bytesSent - 1448}\n`;
const open = (on: Host, clients?: string[]) =>
  CongestionRoute.open(
    { host: on, address: '10.0.1.2', firstPort: 8100, lastPort: 8101, ...(clients === undefined ? {} : { clients }) },
    { congestionControl: 'reno', bbr3Budget: 'draft' },
  );

test('the route of one server gets a table of its own, and loses it again', async () => {
  const on = host('');
  const route = await open(on);
  assert.deepEqual(on.told, [
    'ip -j route show default',
    'ip rule del pref 8100',
    'ip -batch - route replace default via 10.0.1.1 dev eth0 congctl reno table 8100\n' +
      'rule add pref 8100 from 10.0.1.2 ipproto tcp sport 8100-8101 lookup 8100',
  ]);
  on.told.length = 0;
  await route.close();
  assert.deepEqual(on.told, ['ip rule del pref 8100', 'ip route flush table 8100']);
});

test('what counts is what the sockets that carry data show', async () => {
  const on = host(socket(40_000, 'reno', 2_000_000) + socket(40_001, 'cubic', 900));
  const route = await open(on);
  const reading = await route.read();
  assert.equal(reading!.label, 'Reno');
  assert.match(reading!.evidence, /ss -tin shows "reno"/);
  assert.deepEqual(
    reading!.flows.map(({ startMs: _startMs, ...flow }) => flow),
    [
      {
        port: 40_000,
        congestionControl: 'reno',
        retransmittedBytes: 1448,
        sentBytes: 2_000_000,
        receivedBytes: 2_000_000 - 1448,
      },
    ],
  );
  assert.equal((await route.read())!.flows[0]!.startMs, reading!.flows[0]!.startMs, 'it began when it was seen first');
  await route.close();
});

test('flows of several clients are told apart, or refused where their ports are the same', async () => {
  const clients = ['10.0.2.2', '10.0.2.3'];
  const flows = (port: number) => socket(40_000, 'reno', 2e6) + socket(port, 'reno', 3e6, '10.0.2.3');
  const route = await open(host(flows(40_001)), clients);
  assert.deepEqual(
    (await route.read())!.flows.map(({ port, client }) => [port, client]),
    [
      [40_000, 1],
      [40_001, 2],
    ],
  );
  await route.close();
  const same = await open(host(flows(40_000)), clients);
  await assert.rejects(same.read(), { code: 'service-failed', message: /^two clients have the port 40000/ });
  await same.close();
});

test('before anything is sent there is nothing to say', async () => {
  const route = await open(host(socket(40_000, 'cubic', 900)));
  assert.equal(await route.read(), null);
  await route.close();
});

test('a socket that uses something else is a failure, not a reading', async () => {
  const route = await open(host(socket(40_000, 'cubic', 2_000_000)));
  await assert.rejects(route.read(), { code: 'service-failed', message: 'a flow of the service uses cubic, not reno' });
  await route.close();
});

test('an unknown congestion control, and a host without a way out, are refused', async () => {
  await assert.rejects(
    CongestionRoute.open(
      { host: host(''), address: '10.0.1.2', firstPort: 1, lastPort: 1 },
      { congestionControl: 'renoo', bbr3Budget: 'draft' },
    ),
    { code: 'missing-congestion-control', message: /did you mean "reno"/ },
  );
  const on = host('', []);
  await assert.rejects(open(on), { code: 'link-refused', message: /no default route/ });
  assert.ok(on.told.includes('ip route flush table 8100'), 'and nothing is left');
});
