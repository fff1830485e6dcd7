import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localHost } from '../../../../core/system/local-host.ts';
import {
  hostSettings,
  machineSettings,
  readingScript,
  readingsOf,
  readMachineSettings,
  unwanted,
} from '../../../../core/system/machine-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-settings-'));
after(() => rmSync(folder, { recursive: true }));

/** Default settings of Debian 12. None of them needs a note. */
const plain = {
  'net.core.rmem_max': '212992',
  'net.core.wmem_max': '212992',
  'net.core.rmem_default': '212992',
  'net.core.wmem_default': '212992',
  'net.core.netdev_max_backlog': '1000',
  'net.core.netdev_budget': '300',
  'net.core.dev_weight': '64',
  'net.core.busy_poll': '0',
  'net.core.busy_read': '0',
  'net.core.bpf_jit_enable': '1',
  'net.core.default_qdisc': 'pfifo_fast',
  'net.ipv4.tcp_mem': '92133 122847 184266',
  'net.ipv4.udp_mem': '184269 245695 368538',
  'net.ipv4.tcp_congestion_control': 'cubic',
  'kernel.sched_rt_runtime_us': '950000',
  'clock source': 'tsc',
  'CPU governor': 'performance',
  'limit of open files': '1024',
  'limit of address space': 'unlimited',
  umask: '0022',
};

test('a plain machine, and a virtual one without a governor, get no note', () => {
  assert.deepEqual(unwanted(plain), []);
  const { 'CPU governor': _, ...virtual } = plain;
  assert.deepEqual(unwanted(virtual), []);
});

for (const [what, setting, value, message] of [
  ['a hardened server with small UDP buffers', 'net.core.rmem_max', '65536', 'is 65536, should be at least 212992'],
  ['a router with a short backlog', 'net.core.netdev_max_backlog', '100', 'is 100, should be at least 1000'],
  ['a laptop', 'CPU governor', 'powersave', 'is powersave, should be performance'],
  ['cores of two kinds', 'CPU governor', 'performance schedutil', 'is performance schedutil, should be performance'],
  ['a machine whose TSC was found unstable', 'clock source', 'hpet', 'is hpet, should be not hpet'],
  ['one that has no other clock', 'clock source', 'refined-jiffies', 'is refined-jiffies, should be not'],
  ['256 MB of memory', 'net.ipv4.tcp_mem', '5463 7284 10926', 'is 5463 7284 10926, should be at least 32768'],
  ['no real-time group time', 'kernel.sched_rt_runtime_us', '0', 'is 0, should be at least 900000, or -1'],
  ['a low-latency tuning guide', 'net.core.busy_poll', '50', 'is 50, should be 0'],
  ['a kernel that interprets BPF', 'net.core.bpf_jit_enable', '0', 'is 0, should be 1 or 2'],
  ['ulimit -n 256 of macOS habits', 'limit of open files', '256', 'is 256, should be at least 1024'],
  ['ulimit -v of a shared login server', 'limit of address space', '8589934592', 'should be unlimited'],
  ['ulimit -t of the same', 'limit of processor time', '3600', 'is 3600, should be unlimited'],
  ['a careful umask', 'umask', '0077', 'is 0077, should be 0022 or 022'],
] as const)
  test(`${what}: ${setting} is noted`, () => {
    const [note, ...more] = unwanted({ ...plain, [setting]: value });
    assert.deepEqual(more, []);
    assert.equal(note!.startsWith(`${setting} `), true, note);
    assert.ok(note!.includes(message), note);
  });

for (const [setting, value] of [
  ['net.core.rmem_max', '2500000'],
  ['net.core.bpf_jit_enable', '2'],
  ['net.core.default_qdisc', 'fq'],
  ['net.ipv4.tcp_congestion_control', 'bbr'],
  ['kernel.sched_rt_runtime_us', '-1'],
  ['clock source', 'arch_sys_counter'],
  ['limit of open files', 'unlimited'],
  ['umask', '022'],
] as const)
  test(`${setting} may be ${value}`, () => assert.deepEqual(unwanted({ ...plain, [setting]: value }), []));

test('whole values are read, also of lists and of several cores; what is not there is left out', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return { file: join(folder, name) };
  };
  const settings = [
    { name: 'one', read: file('one', '212992\n') },
    { name: 'list', read: file("l'ist", '4096\t16384\t65536\n') },
    { name: 'colon', read: file('colon', 'a:b\n') },
    { name: 'empty', read: file('empty', '\n') },
    { name: 'none', read: { file: join(folder, 'none') } },
    { name: 'cores', read: { command: "printf 'performance\\nschedutil\\n'" } },
    { name: 'no cores', read: { command: `cat ${folder}/cpu*/scaling_governor | sort -u` } },
  ];
  const text = execFileSync('sh', ['-ec', readingScript(settings)], { encoding: 'utf8' });
  assert.deepEqual(readingsOf(text, settings), {
    one: '212992',
    list: '4096 16384 65536',
    colon: 'a:b',
    cores: 'performance schedutil',
  });
});

test('this machine is read as the kernel has it', async () => {
  const readings = await readMachineSettings(localHost);
  for (const name of ['rmem_max', 'netdev_max_backlog'])
    assert.equal(readings[`net.core.${name}`], readFileSync(`/proc/sys/net/core/${name}`, 'utf8').trim());
  assert.match(readings['limit of open files']!, /^(\d+|unlimited)$/);
  assert.match(readings['umask']!, /^0\d+$/);
});

test('each setting stands in the table once', () => {
  const names = [...hostSettings, ...machineSettings].map(({ name }) => name.replaceAll('/', '.'));
  // this name appears twice: the machine's congestion control is recorded, that of the hosts is set
  assert.deepEqual(
    names.filter((name, k) => names.indexOf(name) !== k),
    ['net.ipv4.tcp_congestion_control'],
  );
});
