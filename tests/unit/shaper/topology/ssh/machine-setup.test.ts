import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, setUpMachine } from '../../../../../shaper/topology/ssh/machine-setup.ts';

const all = ['all', 'default', 'eth1'].flatMap(device =>
  ['accept_redirects', 'send_redirects', 'rp_filter'].map(name => `net/ipv4/conf/${device}/${name}`),
);

test('only what differs is changed, and that is put back', () => {
  const before = new Map<string, string>([
    ...all.map(name => [name, '0'] as const),
    ['net/ipv4/tcp_no_metrics_save', '0'],
  ]);
  before.set('net/ipv4/conf/eth1/rp_filter', '2');
  const { make, undo } = changesOf(before, new Map([['eth1', ['tso', 'tx', 'sg']]]));
  assert.deepEqual(make, [
    "echo 0 > '/proc/sys/net/ipv4/conf/eth1/rp_filter'",
    "{ echo 1 > '/proc/sys/net/ipv4/tcp_no_metrics_save'; } 2>/dev/null || :",
    "ethtool -K 'eth1' tso off tx off sg off",
  ]);
  assert.deepEqual(undo, [
    "echo 2 > '/proc/sys/net/ipv4/conf/eth1/rp_filter'",
    "echo 0 > '/proc/sys/net/ipv4/tcp_no_metrics_save'",
    "ethtool -K 'eth1' tx on sg on tso on", // segmentation depends on the others
  ]);
  before.set('net/ipv4/tcp_no_metrics_save', '1').set('net/ipv4/conf/eth1/rp_filter', '0');
  assert.deepEqual(changesOf(before, new Map([['eth1', []]])), { make: [], undo: [] });
});

test('buffers and congestion control of the machine are changed, too; what its kernel does not have is left alone', () => {
  const before = new Map<string, string>([
    ...all.map(name => [name, '0'] as const),
    ['net/ipv4/tcp_wmem', '4096 16384 65536'],
    ['net/ipv4/tcp_rmem', '4096 131072 268435456'],
    ['net/ipv4/tcp_congestion_control', 'bbr'],
  ]);
  assert.deepEqual(changesOf(before, new Map([['eth1', []]])), {
    make: [
      "{ echo 4096 16384 268435456 > '/proc/sys/net/ipv4/tcp_wmem'; } 2>/dev/null || :",
      "{ echo reno > '/proc/sys/net/ipv4/tcp_congestion_control'; } 2>/dev/null || :",
    ],
    undo: [
      "echo 4096 16384 65536 > '/proc/sys/net/ipv4/tcp_wmem'",
      "echo bbr > '/proc/sys/net/ipv4/tcp_congestion_control'",
    ],
  });
});

test('the machine knows how to undo it before anything is changed', async () => {
  const told: string[] = [];
  await setUpMachine(
    {
      name: 'left',
      async run(argv) {
        const script = argv[2] ?? '';
        if (argv[0] === 'ethtool')
          return { status: 0, signal: null, stdout: 'tcp-segmentation-offload: on\n', stderr: '' };
        if (argv.length === 3) told.push(script);
        const settings = argv.slice(4).map(name => `${name} 1\n`);
        return { status: 0, signal: null, stdout: settings.join(''), stderr: '' };
      },
      async undoAtEnd(lines) {
        told.push(`undo: ${lines.join('; ')}`);
      },
    },
    ['eth1'],
    ['ip link del dev left'],
  );
  assert.equal(told.length, 2);
  assert.match(told[0]!, /^undo: ip link del dev left; echo 1 > .*; ethtool -K 'eth1' tso on$/);
  assert.match(told[1]!, /^echo 0 > [^]*\nethtool -K 'eth1' tso off$/);
});

/** A machine with two addresses; `rules`: output of `ip rule`. */
function withAddresses(rules: string) {
  const told: string[] = [];
  const host = {
    name: 'right',
    async run(argv: readonly string[]) {
      const said = (stdout: string) => ({ status: 0, signal: null, stdout, stderr: '' });
      if (argv[0] === 'ethtool') return said('');
      if (argv[0] === 'ip')
        return said(
          argv[1] === 'rule'
            ? rules
            : JSON.stringify(['10.201.0.3', '10.77.2.2'].map(local => ({ addr_info: [{ local, prefixlen: 24 }] }))),
        );
      if (argv.length === 3) told.push(argv[2]!);
      return said(
        argv
          .slice(4)
          .map(name => `${name} 0\n`)
          .join(''),
      );
    },
    async undoAtEnd(lines: readonly string[]) {
      told.push(`undo: ${lines.join('; ')}`);
    },
  };
  return { host, told };
}

test('from the other addresses of a machine nothing goes to the other side', async () => {
  const { host, told } = withAddresses('0:\tfrom all lookup local\n32766:\tfrom all lookup main\n');
  await setUpMachine(host, ['eth1'], [], { address: '10.77.2.2', networks: ['10.77.1.0/24', '10.77.3.0/24'] });
  assert.match(told[0]!, /^undo: .*while ip rule del pref 100; do :; done$/);
  assert.match(
    told[1]!,
    /ip rule add pref 100 from '10\.201\.0\.3' to 10\.77\.1\.0\/24 prohibit\nip rule add pref 100 from '10\.201\.0\.3' to 10\.77\.3\.0\/24 prohibit$/,
  );
  assert.doesNotMatch(told[1]!, /from '10\.77\.2\.2/);
});

test('rules of somebody else are left alone', async () => {
  const { host, told } = withAddresses('100:\tfrom all lookup 7\n');
  await assert.rejects(setUpMachine(host, ['eth1'], [], { address: '10.77.2.2', networks: ['10.77.1.0/24'] }), {
    code: 'no-host',
    message: 'machine "right": its routing rule 100 is in use',
  });
  assert.deepEqual(told, []);
});
