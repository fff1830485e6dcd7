/** Location of a control group with a weight, on machines that are ordinary folders. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findWeightPlace } from '../../../../shaper/precedence/weight-place.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const session = 'user.slice/user-1000.slice/session-3.scope';

/** `files`: files of a tree of control groups; the processes are in `own`. */
function machine(own: string, files: Record<string, string>, isUnified = true) {
  const top = temporaryFolder();
  mkdirSync(join(top, own), { recursive: true });
  writeFileSync(join(top, own, 'cgroup.procs'), '');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), `${text}\n`);
  }
  const kind = isUnified ? 'cgroup2 cgroup2 rw' : 'cgroup cgroup rw,cpu,cpuacct';
  return {
    top,
    told: {
      cgroup: isUnified ? `0::/${own}\n` : `4:cpu,cpuacct:/${own}\n0::/\n`,
      mountinfo: `31 24 0:27 / ${top} rw,nosuid shared:9 - ${kind}\n`,
    },
  };
}

test('of cgroup v2: at the top, where it divides the processors, as systemd has it', () => {
  const { top, told } = machine(session, {
    'cgroup.subtree_control': 'cpuset cpu io memory pids',
    'user.slice/cpu.max': 'max 100000',
    'user.slice/memory.max': 'max',
    [`${session}/cpuset.cpus`]: '',
  });
  assert.deepEqual(findWeightPlace(told), {
    top,
    own: join(top, session),
    weight: { file: 'cpu.weight', value: '10000' },
    isUnified: true,
  });
});

test('of cgroup v1: at the top of the tree that divides the processors', () => {
  const { top, told } = machine('job', { 'job/cpu.cfs_quota_us': '-1' }, false);
  assert.deepEqual(findWeightPlace(told), {
    top,
    own: join(top, 'job'),
    weight: { file: 'cpu.shares', value: '262144' },
    isUnified: false,
  });
});

test('nowhere, where the top divides no processors, or nothing is mounted', () => {
  const { top, told } = machine(session, { 'cgroup.subtree_control': 'memory pids' });
  assert.deepEqual(findWeightPlace(told), { obstacle: `${top} does not pass on the controller cpu` });
  assert.deepEqual(findWeightPlace({ ...told, mountinfo: '' }), { obstacle: 'no control groups are mounted' });
});

test('not out of a group that binds this command to a part of the machine, its own or one above it', () => {
  for (const [file, bound, isUnified] of [
    ['user.slice/memory.max', '4294967296', true],
    [`${session}/cpu.max`, '50000 100000', true],
    ['user.slice/cpuset.cpus', '0-1', true],
    ['user.slice/cpu.cfs_quota_us', '50000', false],
  ] as const) {
    const files = { 'cgroup.subtree_control': 'cpu memory pids', [file]: bound };
    const { top, told } = machine(session, files, isUnified);
    assert.deepEqual(findWeightPlace(told), { obstacle: `this command is bound by ${join(top, file)}` });
  }
});
