/** Files from a machine of a lab that violates the protocol. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RemoteFolder } from '../../../../../shaper/topology/ssh/remote-folder.ts';
import { fakeHost } from '../../../harness/support/fake-host.ts';
import { temporaryFolder } from '../../../harness/support/folder.ts';

const parent = temporaryFolder();
const sending = (script: string, limits: { fileBytes: number; partMs: number }) =>
  new RemoteFolder(fakeHost(script, '', 'left'), '/there', limits);

test('a file that does not end is cut off, and nothing of it is left', async () => {
  const file = join(parent, 'endless');
  await assert.rejects(sending('exec yes', { fileBytes: 1e6, partMs: 20_000 }).bring(file), {
    code: 'host-lost',
    message: 'machine "left" sends more than 1 MB for one file',
  });
  assert.equal(existsSync(file), false);
});

test('one that does not come, comes drop by drop, or is not closed is not waited for', async () => {
  for (const script of [
    'exec sleep 60',
    'while :; do echo drop; sleep 0.05; done',
    'echo all of it; exec 1>&-; exec sleep 60',
  ]) {
    const file = join(parent, 'late');
    await assert.rejects(sending(script, { fileBytes: 1e6, partMs: 400 }).bring(file, '/there/late'), {
      code: 'host-lost',
      message: /^timed out after 0(\.\d)? s waiting for machine "left" to send \/there\/late$/,
    });
    assert.equal(existsSync(file), false);
  }
});

test('a file that is large, and comes slowly but part by part, is brought', async () => {
  const file = join(parent, 'large');
  // longer in total than the time limit for a part, but far below it for each part, since the machine may be busy
  const script = 'for k in 1 2 3; do head -c 17000000 /dev/zero; sleep 2.2; done';
  await sending(script, { fileBytes: 1e9, partMs: 6000 }).bring(file);
  assert.equal(lstatSync(file).size, 51_000_000);
});

test('of a machine one file comes after the other, also after one that does not come', async () => {
  const log = join(parent, 'log');
  const script = `echo begins >> ${log}; sleep 0.2; echo ends >> ${log}; printf new; [ $(wc -l < ${log}) -ne 4 ]`;
  const folder = sending(script, { fileBytes: 1e6, partMs: 20_000 });
  const files = ['first', 'second', 'third'].map(name => join(parent, name));
  const brought = await Promise.allSettled(files.map(file => folder.bring(file)));
  assert.deepEqual(
    brought.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(files.map(existsSync), [true, false, true]);
  assert.equal(readFileSync(log, 'utf8'), 'begins\nends\n'.repeat(3));
});

test('a link in the place of the file leads nowhere', async () => {
  const [precious, file] = [join(parent, 'precious'), join(parent, 'linked')];
  writeFileSync(precious, 'as it was');
  symlinkSync(precious, file);
  await sending('printf new', { fileBytes: 1e6, partMs: 20_000 }).bring(file);
  assert.deepEqual([readFileSync(precious, 'utf8'), readFileSync(file, 'utf8')], ['as it was', 'new']);
});
