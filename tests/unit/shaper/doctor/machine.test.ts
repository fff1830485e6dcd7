/** Parsing of programs' output by the doctor; tests/long/lab.test.ts runs it on real machines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import type { Capability } from '../../../../core/system/capability.ts';
import type { Host } from '../../../../core/system/host.ts';
import { examineMachine } from '../../../../shaper/doctor/lab/machine.ts';
import type { LabMachine } from '../../../../shaper/topology/ssh/hosts-file.ts';

const link = (address: string, flags = ['BROADCAST', 'UP', 'LOWER_UP']) =>
  JSON.stringify([{ ifname: 'eth1', flags, mtu: 1500, addr_info: [{ local: address, prefixlen: 24 }] }]);

/** A machine without defects: command line -> its output. */
const good: Record<string, string> = {
  'id -u': '0\n',
  'uname -srm': 'Linux 6.12.1 x86_64\n',
  'ip -V': 'ip utility, iproute2-6.1.0, libbpf 1.1.0\n',
  'tc -V': 'tc utility, iproute2-6.1.0, libbpf 1.1.0\n',
  'ethtool --version': 'ethtool version 6.1\n',
  'ping -V': 'ping from iputils 20221126\n',
  'iperf3 --version': 'iperf 3.12 (cJSON 1.7.15)\nLinux\n',
  'cat /proc/sys/net/ipv4/tcp_available_congestion_control': 'reno cubic bbr\n',
  'cat /sys/module/tcp_bbr/version': '3\n',
  'test -r /sys/kernel/btf/vmlinux': '',
  'cat /proc/sys/net/ipv4/ip_forward': '1\n',
  'ip -j -4 address show dev eth1': link('10.77.1.2'),
  'ethtool -i eth1': 'driver: igc\nversion: 6.12.1\n',
  'ethtool eth1': 'Settings for eth1:\n\tSpeed: 2500Mb/s\n\tLink detected: yes\n',
  'ethtool -k eth1': 'Features for eth1:\nrx-checksumming: off\ntcp-segmentation-offload: off\n',
};

const machine: LabMachine = {
  name: 'left',
  destination: { ssh: 'root@left', port: null, configFile: null, node: 'node' },
  roles: ['left', 'router'],
  devices: [{ device: 'eth1', address: '10.77.1.2' }],
};

/** `changes`: other outputs by command; undefined: it fails; null: it is not installed. */
async function look(changes: Record<string, string | undefined | null> = {}): Promise<Map<string, Capability>> {
  const host: Pick<Host, 'run'> = {
    run: async (argv, options = {}) => {
      const line = argv.join(' ');
      if (line.startsWith('unshare --net -- ') && !(line in changes))
        return { status: 0, signal: null, stdout: '', stderr: '' };
      const answer = line in changes ? changes[line] : good[line];
      if (answer === null) throw new CoexistError('missing-program', `the program "${argv[0]}" is not installed`);
      if (answer === undefined && !options.allowFailure)
        throw new CoexistError('command-failed', `"${line}" failed with status 1: no`);
      return { status: answer === undefined ? 1 : 0, signal: null, stdout: answer ?? '', stderr: '' };
    },
  };
  const { capabilities } = await examineMachine(host, machine, version => `BBRv${version ?? 1}`);
  return new Map(capabilities.map(one => [one.id, one]));
}

const told = (found: Map<string, Capability>, id: string) => [found.get(id)!.works, found.get(id)!.found];

test('a machine in order', async () => {
  const found = await look();
  assert.deepEqual(
    [...found.values()].filter(({ works }) => !works),
    [],
  );
  assert.deepEqual(told(found, 'kernel'), [true, 'Linux 6.12.1 x86_64']);
  assert.deepEqual(told(found, 'tools'), [true, 'ip 6.1.0, tc 6.1.0, ethtool 6.1, ping 20221126, iperf3 3.12']);
  assert.deepEqual(told(found, 'congestion-controls'), [
    true,
    "reno, cubic, bbr (bbr is BBRv3, the kernel's own: bbr3-kernel)",
  ]);
  assert.deepEqual(told(found, 'device-eth1'), [true, '10.77.1.2/24, MTU 1500']);
  assert.deepEqual(told(found, 'speed-eth1'), [true, '2500 Mbit/s (igc)']);
  for (const id of ['root', 'veth', 'htb', 'ifb', 'bpf', 'btf', 'offloads-eth1', 'forwarding'])
    assert.ok(found.has(id), id);
});

const version = 'cat /sys/module/tcp_bbr/version';
const controls = 'cat /proc/sys/net/ipv4/tcp_available_congestion_control';
const address = 'ip -j -4 address show dev eth1';

test('what is not in order, each with the mend', async () => {
  const cases: [changes: Record<string, string | undefined | null>, id: string, works: boolean, found: string][] = [
    [{ 'id -u': '1000\n' }, 'root', false, 'no, user id 1000'],
    [{ 'id -u': '1000\n' }, 'veth', false, 'not tried: needs root'],
    [{ 'iperf3 --version': null, 'tc -V': null }, 'tools', false, 'missing: tc, iperf3'],
    [{ [version]: undefined }, 'congestion-controls', true, 'reno, cubic, bbr (bbr is BBRv1)'],
    [{ [controls]: 'reno\n' }, 'congestion-controls', false, 'reno; missing: bbr, cubic'],
    [{ 'test -r /sys/kernel/btf/vmlinux': undefined }, 'btf', false, 'no /sys/kernel/btf/vmlinux'],
    [
      { 'unshare --net -- ip link add coexist0 type ifb': undefined },
      'ifb',
      false,
      '"unshare --net -- ip link add coexist0 type ifb" failed with status 1: no',
    ],
    [{ [address]: link('10.77.1.9') }, 'device-eth1', false, 'eth1 does not have 10.77.1.2, but 10.77.1.9'],
    [{ [address]: '[{}]' }, 'device-eth1', false, 'eth1 does not have 10.77.1.2'],
    [{ [address]: link('10.77.1.2', ['UP']) }, 'device-eth1', false, 'eth1 is down, or has no cable'],
    [{ [address]: undefined }, 'device-eth1', false, `"${address}" failed with status 1: no`],
    [{ 'ethtool -i eth1': 'driver: veth\n' }, 'speed-eth1', true, 'unknown (veth)'],
    [{ 'ethtool eth1': '\tSpeed: Unknown!\n' }, 'speed-eth1', true, 'unknown (igc)'],
    [
      { 'ethtool -k eth1': 'tcp-segmentation-offload: on\ngeneric-receive-offload: on [fixed]\n' },
      'offloads-eth1',
      false,
      'on: tso, gro',
    ],
    [{ 'cat /proc/sys/net/ipv4/ip_forward': '0\n' }, 'forwarding', false, 'off'],
  ];
  for (const [changes, id, works, found] of cases) {
    const all = await look(changes);
    assert.deepEqual(told(all, id), [works, found], JSON.stringify(changes));
    assert.ok(works || all.get(id)!.mend.length > 0);
  }
  const { mend } = (await look({ 'iperf3 --version': null, 'tc -V': null, 'ip -V': null })).get('tools')!;
  assert.equal(mend, 'apt-get install iproute2 iperf3');
});
