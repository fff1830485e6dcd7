import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileWriter } from '../../../../core/system/file-writer.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const folder = temporaryFolder();

test('what is written is there when the file is closed', async () => {
  const writer = new FileWriter(join(folder, 'fast'), 1000);
  writer.write('one ');
  writer.write(Buffer.from('two'));
  await writer.close();
  assert.equal(readFileSync(writer.path, 'utf8'), 'one two');
});

test('a link in the place of the file leads nowhere, and the null device stays one', async () => {
  const [precious, link, directory] = ['precious', 'link', 'directory'].map(name => join(folder, name));
  writeFileSync(precious!, 'as it was');
  symlinkSync(precious!, link!);
  const writer = new FileWriter(link!);
  writer.write('new');
  await writer.close();
  assert.deepEqual([readFileSync(precious!, 'utf8'), readFileSync(link!, 'utf8')], ['as it was', 'new']);
  mkdirSync(directory!);
  await assert.rejects(new FileWriter(directory!).close(), { code: 'cannot-write', message: /\(EEXIST\)$/ });
  const nowhere = new FileWriter(devNull);
  nowhere.write('away');
  await nowhere.close();
  assert.ok(statSync(devNull).isCharacterDevice());
});

test('a disk that falls behind is a failure with a bound on the memory, not a memory that fills', async () => {
  // simulates a disk that hangs: a pipe without a reader accepts data until its buffer is full
  const pipe = join(folder, 'slow');
  execFileSync('mkfifo', [pipe]);
  const holder = spawn('sh', ['-c', 'exec 3<>"$0"; echo open; sleep 60', pipe], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    await once(holder.stdout, 'data');
    const writer = new FileWriter(pipe, 2 ** 20, false);
    for (let k = 0; k < 200; k++) {
      writer.write(Buffer.alloc(2 ** 16));
      await new Promise(resolve => setImmediate(resolve));
    }
    await assert.rejects(writer.close(), {
      code: 'disk-slow',
      message: /^the disk is too slow for \S+slow: 1 MiB were waiting for it$/,
    });
  } finally {
    process.kill(-holder.pid!, 'SIGKILL');
  }
});
