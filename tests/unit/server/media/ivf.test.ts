import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ivfFrame, ivfHeader, readIvf } from '../../../../server/media/ivf.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const facts = { width: 1280, height: 720, frameRate: 60 };

function file(name: string, ...parts: Buffer[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

test('the header is as FFmpeg and libvpx know it', () => {
  assert.equal(
    ivfHeader(facts).toString('hex'),
    '444b4946' + '0000' + '2000' + '48323634' + '0005' + 'd002' + '3c000000' + '01000000' + '00000000' + '00000000',
  );
});

test('frames come back with their numbers, gaps and all', () => {
  const written = [
    [0, 'first'],
    [1, ''],
    [7, 'after a gap'],
    [2 ** 33, 'late'],
  ] as const;
  const path = file('a.ivf', ivfHeader(facts), ...written.map(([number, data]) => ivfFrame(number, Buffer.from(data))));
  assert.deepEqual(
    [...readIvf(path)].map(({ number, data }) => [number, data.toString()]),
    written,
  );
});

test('a frame that was cut off is left out', () => {
  const whole = [ivfHeader(facts), ivfFrame(0, Buffer.from('whole'))];
  for (const cut of [1, 11, 12, 16])
    assert.deepEqual(
      [...readIvf(file(`${cut}.ivf`, ...whole, ivfFrame(1, Buffer.from('halved')).subarray(0, cut)))].map(
        ({ number }) => number,
      ),
      [0],
      `${cut}`,
    );
  assert.deepEqual([...readIvf(file('empty.ivf', ivfHeader(facts)))], []);
});

test('another kind of file is refused by name', () => {
  for (const path of [
    file('text.ivf', Buffer.from('no video at all, but longer than a header')),
    file('short.ivf', Buffer.from('DKIF')),
  ]) {
    assert.throws(() => [...readIvf(path)], { code: 'bad-run-folder', message: `${path} is no IVF file` });
  }
});
