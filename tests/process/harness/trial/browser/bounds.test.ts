/** Tests of limits that run on any machine. Control groups are tested in tests/kernels, with a kernel that has them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Bounds, describeLimits, groupPlace } from '../../../../../harness/trial/browser/bounds.ts';
import { useLimits } from '../../../../../harness/trial/browser/use.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';

const folder = temporaryFolder();

test('which of the two ways a machine has is said, with the reason', () => {
  assert.equal(describeLimits({ parent: '/sys/fs/cgroup' }), 'by a control group for each browser, in /sys/fs/cgroup');
  assert.equal(
    describeLimits({ obstacle: 'no cgroup v2 is mounted' }),
    'by limits of each process, and a look at all of them once a second (no cgroup v2 is mounted)',
  );
});

test('a browser starts within its bounds whichever way there is; one that ends by itself is told so', async () => {
  const bounds = await Bounds.make(useLimits, folder);
  try {
    assert.equal(bounds.kind, 'parent' in (await groupPlace()) ? 'control group' : 'rlimits');
    const [program, ...words] = bounds.command(['echo', 'it', 'runs']);
    assert.equal(spawnSync(program!, words, { encoding: 'utf8' }).stdout, 'it runs\n');
    const { code, message } = bounds.ended('the browser ended');
    assert.deepEqual([code, message], ['browser-died', 'the browser ended']);
  } finally {
    await bounds.end();
  }
});

test('one that is measured itself has no control group', async () => {
  const bounds = await Bounds.make(useLimits, folder, true);
  assert.deepEqual([bounds.kind, bounds.command(['browser'])], ['rlimits', ['browser']]);
  await bounds.end();
});
