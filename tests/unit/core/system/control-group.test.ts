/**
 * Tests the search for a place for control groups. tests/kernels tests the groups themselves, in a kernel that has
 * them.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findGroupPlace, groupsOf, removeNotedGroups } from '../../../../core/system/control-group.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const mount = (point: string, root = '/', kind = 'cgroup2 cgroup2 rw') =>
  `31 24 0:27 ${root} ${point} rw,nosuid shared:9 - ${kind}\n`;
const session = 'user.slice/user-1000.slice/session-3.scope';

test('the groups of a process are looked for from its own upwards, to where the file system is mounted', () => {
  const others = mount('/', '/', 'ext4 /dev/vda rw') + mount('/sys/fs/cgroup/memory', '/', 'cgroup cgroup rw,memory');
  assert.deepEqual(groupsOf({ cgroup: `0::/${session}\n`, mountinfo: others + mount('/sys/fs/cgroup') }), [
    `/sys/fs/cgroup/${session}`,
    '/sys/fs/cgroup/user.slice/user-1000.slice',
    '/sys/fs/cgroup/user.slice',
    '/sys/fs/cgroup',
  ]);
  assert.deepEqual(groupsOf({ cgroup: '4:memory:/x\n0::/\n', mountinfo: mount('/unified') }), ['/unified']);
});

test('of a file system of which a part is mounted, as in a container, those of that part', () => {
  const cgroup = '0::/docker/1/init\n';
  assert.deepEqual(groupsOf({ cgroup, mountinfo: mount('/cg', '/docker/1') }), ['/cg/init', '/cg']);
  for (const mountinfo of [mount('/cg', '/docker/2'), mount('/cg', '/docker/1/ini'), ''])
    assert.deepEqual(groupsOf({ cgroup, mountinfo }), []);
  assert.deepEqual(groupsOf({ cgroup: '0::/../other\n', mountinfo: mount('/cg') }), []);
  assert.deepEqual(groupsOf({ cgroup: '4:memory:/x\n', mountinfo: mount('/cg') }), [], 'cgroup v1');
});

/**
 * Makes an ordinary folder as the tree of control groups, and files of /proc that refer to it. `groups`: controllers
 * that each group passes on, by path.
 */
function machine(name: string, groups: Record<string, string>): string {
  const [top, told] = [join(folder, name, 'tree'), join(folder, name, 'proc')];
  mkdirSync(told, { recursive: true });
  for (const [path, controllers] of Object.entries(groups)) {
    mkdirSync(join(top, path), { recursive: true });
    writeFileSync(join(top, path, 'cgroup.subtree_control'), controllers);
  }
  writeFileSync(join(told, 'cgroup'), `0::/${Object.keys(groups).at(-1)}\n`);
  writeFileSync(join(told, 'mountinfo'), mount(top));
  return told;
}

test('where none passes on what is needed, that is the obstacle, and nothing is made', async () => {
  const told = machine('passes-nothing', { '': 'cpu pids\n', 'user.slice': '', 'user.slice/session': '' });
  assert.deepEqual(await findGroupPlace(told), {
    obstacle: 'no control group of this command passes on memory and pids',
  });
  assert.deepEqual(readdirSync(join(folder, 'passes-nothing/tree')), ['cgroup.subtree_control', 'user.slice']);
});

test('a folder that takes no limits is no control group, whatever it says of itself; it is left as it was', async () => {
  const told = machine('ordinary', { '': 'cpuset cpu memory pids\n', session: '' });
  const found = await findGroupPlace(told);
  assert.match('obstacle' in found ? found.obstacle : '', /^no control group could be made: ENOENT.*memory\.max/);
  assert.deepEqual(readdirSync(join(folder, 'ordinary/tree')), ['cgroup.subtree_control', 'session']);
});

test('a machine without cgroup v2 says so', async () => {
  const told = machine('none', { '': '' });
  writeFileSync(join(told, 'mountinfo'), mount('/sys/fs/cgroup/memory', '/', 'cgroup cgroup rw,memory'));
  assert.deepEqual(await findGroupPlace(told), { obstacle: 'no cgroup v2 is mounted' });
});

test('a note that names anything but a control group of ours removes nothing', async () => {
  const [scratch, own] = [join(folder, 'scratch'), join(folder, 'coexist-0123456789ab')];
  for (const path of [own, join(folder, 'theirs')]) mkdirSync(path);
  writeFileSync(join(folder, 'theirs', 'cgroup.procs'), '');
  for (const [name, path] of Object.entries({
    a: own,
    b: join(folder, 'theirs'),
    c: '/nowhere/coexist-0123456789ab',
  })) {
    mkdirSync(join(scratch, name), { recursive: true });
    writeFileSync(join(scratch, name, 'control-group'), path);
  }
  mkdirSync(join(scratch, 'without-one'));
  assert.deepEqual(await removeNotedGroups(scratch), []);
  assert.deepEqual(await removeNotedGroups(join(folder, 'not-there')), []);
  assert.ok(existsSync(own) && existsSync(join(folder, 'theirs')));
});
