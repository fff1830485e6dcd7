/** The limits of browsers by control groups, in a kernel that has cgroup v2 with memory and pids. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GroupPlace } from '../../core/system/control-group.ts';
import { Lease } from '../../core/system/lease.ts';
import { noOtherKernel } from './support/packages.ts';
import { UmlBox } from './support/uml-box.ts';

const skip = await noOtherKernel();
const state = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
const program = fileURLToPath(new URL('./support/in-groups.ts', import.meta.url));
const mount = '/sys/fs/cgroup';
let lease: Lease;
let box: UmlBox;

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  box = await UmlBox.build(lease);
});

after(async () => {
  await box?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

type InGroup = {
  status: number | null;
  signal: string | null;
  processes: number;
  memoryBytes: number;
  kills: number;
  refusals: number;
};

test('what takes too much is killed or refused by the kernel, and what is left is removed', { skip }, async context => {
  await box.router.run(['mount', '-t', 'cgroup2', 'none', mount]);
  const { stdout } = await box.router.run(
    ['env', 'TMPDIR=/mnt', process.execPath, '--disable-warning=ExperimentalWarning', program, mount],
    { timeoutMs: 120_000 },
  );
  context.diagnostic(stdout);
  const told = JSON.parse(stdout) as {
    before: GroupPlace;
    place: GroupPlace;
    modest: InGroup;
    greedy: InGroup;
    crowd: InGroup;
    file: InGroup;
    removed: object;
    left: string[];
  };
  assert.deepEqual(told.before, { obstacle: 'no control group of this command passes on memory and pids' });
  assert.deepEqual(told.place, { parent: mount });
  const { modest, greedy, crowd, file } = told;
  assert.deepEqual([modest.status, modest.kills, modest.refusals], [0, 0, 0]);
  assert.ok(greedy.signal === 'SIGKILL' && greedy.kills > 0 && greedy.refusals === 0, JSON.stringify(greedy));
  assert.ok(crowd.refusals > 0 && crowd.kills === 0 && crowd.processes > 4, JSON.stringify(crowd));
  assert.ok(crowd.processes <= 8, 'no more than it may have');
  assert.ok(file.signal === 'SIGKILL' && file.kills > 0, 'a file in memory counts as what wrote it');
  assert.deepEqual(told.removed, { noted: 1, signal: 'SIGKILL', isThere: false });
  assert.deepEqual(told.left, []);
});
