import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocketDrops } from '../../../../harness/trial/socket-drops.ts';

/** Returns /proc/net/snmp and /proc/net/netstat of Linux 6.18, shortened, with these counts. */
const text = ({ rcv = 0, snd = 0, mem = 0, queue = 0, backlog = 0, pressures = 0 }) =>
  [
    'Ip: Forwarding DefaultTTL InReceives',
    'Ip: 2 64 1000',
    'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors',
    `Udp: 900 0 ${rcv} 10 ${rcv} ${snd} 0 0 ${mem}`,
    'UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors',
    'UdpLite: 0 0 77 0 77 77 0 0 77',
    'TcpExt: SyncookiesSent TCPBacklogDrop TCPMemoryPressures TCPRcvQDrop',
    `TcpExt: 0 ${backlog} ${pressures} ${queue}`,
    '',
  ].join('\n');

function host(name: string, ...answers: Parameters<typeof text>[0][]) {
  return { name, run: async () => ({ status: 0, signal: null, stdout: text(answers.shift()!), stderr: '' }) };
}

async function notes(...hosts: ReturnType<typeof host>[]): Promise<string[]> {
  const drops = new SocketDrops(hosts);
  await drops.begin();
  const findings = await drops.findings();
  assert.ok(findings.every(({ kind, status }) => kind === 'host' && status === 'note'));
  return findings.map(({ message }) => message);
}

test('what was dropped before the trial is not the trial’s', async () => {
  assert.deepEqual(await notes(host('right-1', { rcv: 900, mem: 3 }, { rcv: 900, mem: 3 })), []);
});

for (const [what, counts, message] of [
  ['a browser whose buffer is small', { rcv: 40 }, /^right-1 dropped 40 UDP packets .*receive buffer.*rmem_max/],
  ['a sender whose buffer is small', { snd: 2 }, /^right-1 dropped 2 UDP packets .*send buffer.*wmem_max/],
  ['a machine with little memory for UDP', { mem: 5 }, /^right-1 dropped 5 UDP packets .*udp_mem/],
  ['a TCP receiver without room', { queue: 7 }, /^right-1 dropped 7 TCP packets .*tcp_rmem/],
  ['a program that holds its socket', { backlog: 1 }, /^right-1 dropped 1 TCP packets .*backlog/],
  ['a machine with little memory for TCP', { pressures: 1 }, /^right-1: all TCP buffers together came to their limit/],
] as const)
  test(`${what} is told by the host`, async () => {
    const found = await notes(host('right-1', {}, counts));
    assert.equal(found.length, 1);
    assert.match(found[0]!, message);
  });

test('each host is asked once, and nothing before it began', async () => {
  const one = host('left-1', { rcv: 1 }, { rcv: 3 });
  assert.equal((await notes(one, one)).length, 1);
  assert.deepEqual(await new SocketDrops([host('left-1')]).findings(), []);
});

test('a host that is gone at the end takes no trial with it', async () => {
  let isGone = false;
  const drops = new SocketDrops([
    {
      name: 'right-1',
      run: async () => {
        if (isGone) throw new Error('gone');
        return { status: 0, signal: null, stdout: text({ rcv: 1 }), stderr: '' };
      },
    },
  ]);
  await drops.begin();
  isGone = true;
  assert.deepEqual(await drops.findings(), []);
});
