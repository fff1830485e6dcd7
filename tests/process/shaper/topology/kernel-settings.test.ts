import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { differences, settingLine, settingsFor } from '../../../../shaper/topology/kernel-settings.ts';
import { fakeHost } from '../../../unit/harness/support/fake-host.ts';

/** grep's output for the files of a host. */
const printed = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `/proc/sys/net/ipv4/${name}:${value}\n`)
    .join('');

for (const [what, values, expected] of [
  ['a kernel that has nothing of the table', {}, []],
  ['the values of the table, by tabs', { tcp_wmem: '4096\t16384\t268435456', tcp_sack: '1' }, []],
  [
    'a container that may not write: small buffers stay',
    { tcp_wmem: '4096\t16384\t65536' },
    ['net.ipv4.tcp_wmem of server is 4096 16384 65536, not 4096 16384 268435456'],
  ],
  [
    'a kernel that keeps another congestion control',
    { tcp_congestion_control: 'bbr' },
    ['net.ipv4.tcp_congestion_control of server is bbr, not reno'],
  ],
  ['a host that asks for ECN', { tcp_ecn: '1' }, ['net.ipv4.tcp_ecn of server is 1, not 2']],
  ['no SACK, after a security advisory', { tcp_sack: '0' }, ['net.ipv4.tcp_sack of server is 0, not 1']],
  ['windows of 64 kB at most', { tcp_window_scaling: '0' }, ['net.ipv4.tcp_window_scaling of server is 0, not 1']],
  ['buffers that do not grow', { tcp_moderate_rcvbuf: '0' }, ['net.ipv4.tcp_moderate_rcvbuf of server is 0, not 1']],
  [
    'a server for HTTP/2',
    { tcp_notsent_lowat: '16384' },
    ['net.ipv4.tcp_notsent_lowat of server is 16384, not 4294967295'],
  ],
  ['a silent machine', { icmp_echo_ignore_all: '1' }, ['net.ipv4.icmp_echo_ignore_all of server is 1, not 0']],
] as const)
  test(`${what} is told`, async () => {
    const host = fakeHost('true', printed(values as Record<string, string>));
    assert.deepEqual(
      (await differences(host)).map(line => line.split(' (')[0]),
      expected,
    );
  });

test('a setting that the kernel lacks or refuses does not end the set-up; one of devices does', () => {
  const shell = (line: string) => execFileSync('sh', ['-ec', `${line}\necho on`], { encoding: 'utf8', stdio: 'pipe' });
  assert.equal(shell(settingLine(['net/ipv4/tcp_there_is_none', 1])), 'on\n');
  assert.throws(() => shell(settingLine(['net/ipv4/conf/there-is-none/rp_filter', 0])));
});

test('buffers, offers and feedback of TCP are set on every host, whatever a namespace inherits', () => {
  const values = new Map(settingsFor(['eth0']).map(([name, value]) => [name, String(value)]));
  assert.equal(values.get('net/ipv4/conf/eth0/rp_filter'), '0');
  assert.equal(values.get('net/ipv4/tcp_wmem'), '4096 16384 268435456');
  assert.equal(values.get('net/ipv4/tcp_rmem'), '4096 131072 268435456');
  assert.equal(values.get('net/ipv4/tcp_congestion_control'), 'reno');
  assert.equal(values.get('net/ipv4/tcp_no_metrics_save'), '1');
});
