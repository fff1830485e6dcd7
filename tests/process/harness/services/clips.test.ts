import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '../../../../core/system/paths.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { checkClip, clipNoteLines, inspectionLines } from '../../../../harness/services/clip-facts.ts';
import { clipPath, generatedClip, madeOfClip } from '../../../../harness/services/clips.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

test('a clip is a name or a file', () => {
  assert.equal(clipPath('high-motion'), generatedClip);
  assert.ok(clipPath('bigbuckbunny').endsWith('bigbuckbunny.mp4'));
  assert.equal(clipPath('/somewhere/clip.mp4'), '/somewhere/clip.mp4');
  assert.ok(isAbsolute(clipPath('clip.mp4')));
  assert.equal(clipPath('constructor'), join(process.cwd(), 'constructor'));
});

test('a file that is missing or no clip is refused with the reason', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.mp4');
  writeFileSync(text, 'this is not a clip\n'.repeat(100));
  for (const path of [text, join(folder, 'none.mp4'), folder]) {
    await assert.rejects(
      checkClip(path, 1000),
      { code: 'bad-clip', message: new RegExp(path.replaceAll('.', '\\.')) },
      path,
    );
  }
});

test('a dry run tells of a clip what it is and what is done to it; it is decoded once', async () => {
  const clip = join(temporaryFolder(), 'clip.mp4');
  await generateClip(clip, 12);
  const whole = new Date(1e12); // whole seconds, so that the same time can be set again
  utimesSync(clip, whole, whole);
  const stream = { width: 640, height: 360, frameRate: 30 };
  const lines = await inspectionLines(clip, 10_000, stream);
  assert.match(lines[0]!, /^clip clip\.mp4: h264, 1280\u00d7720, 60 fps, 0\.20 s, BT\.709 in limited range /);
  assert.deepEqual(lines.slice(1), ['  scaled to 640\u00d7360; resampled to 30 fps']);
  assert.deepEqual(await clipNoteLines(clip, 10_000), []);
  const facts = await checkClip(clip, 10_000);
  // replaces the content of the clip, but not its name, size and time
  writeFileSync(clip, Buffer.alloc(statSync(clip).size));
  utimesSync(clip, whole, whole);
  assert.deepEqual(await checkClip(clip, 10_000), facts);
  await assert.rejects(checkClip(clip, 9000), { code: 'bad-clip' }, 'of another length nothing is known');
});

test('of a clip of which one frame is used, the dry run notes that no stall can be seen in it', async () => {
  const clip = join(temporaryFolder(), 'clip.mp4');
  await generateClip(clip, 12);
  const notes = await clipNoteLines(clip, 10);
  assert.deepEqual(notes, [
    'note: the clip is a single frame: it needs almost no rate, and no stall can be seen in it',
  ]);
});

test('a file is made of a clip once, the oldest goes, and why one could not be made is told', async () => {
  const place = temporaryFolder();
  const name = `test-${process.pid}`;
  after(() => rmSync(join(cacheFolder, name), { recursive: true, force: true }));
  const [clip, program] = [join(place, 'clip.mp4'), join(place, 'program.mjs')];
  writeFileSync(clip, 'clip');
  writeFileSync(
    program,
    `import { symlinkSync, writeFileSync } from 'node:fs';
    const [clip, word, file] = process.argv.slice(2);
    if (word === 'bad') { process.stderr.write('the clip is nothing\\n  -> give another\\n'); process.exit(1); }
    if (word === 'full') process.exit(2);
    if (word.startsWith('/')) process.exit(void symlinkSync(word, file));
    writeFileSync(file, word + process.hrtime.bigint(), { flag: 'a' });`,
  );
  const make = (word: string) =>
    madeOfClip({
      clip,
      folder: name,
      extension: 'txt',
      kept: 2,
      program: pathToFileURL(program),
      words: [word],
      what: 'a test',
    });

  const first = await make('one');
  const text = readFileSync(first, 'utf8');
  assert.match(text, /^one/);
  assert.equal(readFileSync(await make('one'), 'utf8'), text, 'it is not made again');
  const second = await make('two');
  utimesSync(second, 1000, 1000);
  const third = await make('three');
  assert.deepEqual(
    readdirSync(join(cacheFolder, name)).sort(),
    [first, third].map(path => path.split('/').at(-1)).sort(),
  );
  const both = await Promise.all([make('at once'), make('at once')]);
  assert.equal(readFileSync(both[0], 'utf8').match(/at once/g)!.length, 1, 'two who want it at once get the same');
  assert.equal(both[0], both[1]);
  await assert.rejects(make('bad'), { code: 'bad-clip', message: 'the clip is nothing', hint: 'give another' });
  const secret = join(place, 'secret');
  writeFileSync(secret, '', { mode: 0o600 });
  await assert.rejects(make(secret), { code: 'cannot-write', message: / was exchanged while it was made$/ });
  assert.equal(statSync(secret).mode & 0o777, 0o600, 'what a link in its place leads to is not opened to everybody');
  await assert.rejects(make('full'), { code: 'cannot-write', message: `the clip ${clip} could not be made a test` });
});
