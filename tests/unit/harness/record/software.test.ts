import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashesOf, requireSameSoftware, softwareChanges } from '../../../../harness/record/software.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import { namedFiles } from '../../../../harness/trial/named-files.ts';
import { greedy } from '../studies/pairs/support/study.ts';
import { temporaryFolder } from '../support/folder.ts';
import { versions } from '../support/run-folder.ts';

const folder = temporaryFolder();
const clip = join(folder, 'clip.mp4');
const again = 'npm run experiment -- --resume runs/x';

test('files are known by their SHA-256, however long they are', () => {
  const content = randomBytes(2.5 * 2 ** 20);
  writeFileSync(clip, content);
  writeFileSync(join(folder, 'empty'), '');
  const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(hashesOf([clip, join(folder, 'empty'), clip]), {
    [clip]: hash(content),
    [join(folder, 'empty')]: hash(''),
  });
  assert.throws(() => hashesOf([join(folder, 'none')]), { code: 'bad-definition', message: /none cannot be read/ });
});

test('the files of a study are those that its links and services name, beside what is shipped', () => {
  const services = new Map([
    ['live-clip', serviceOf({ ...greedy, files: { clip: name => name === 'high-motion' } })],
    ['iperf', serviceOf(greedy)],
  ]);
  const conditionOf = (link: object, ...chosen: (readonly [id: string, clip: string])[]) =>
    ({
      link: { paths: {}, ...link },
      applications: chosen.map(([id, clip]) => ({ service: { id, title: id, params: { clip } } })),
    }) as never;
  assert.deepEqual(
    namedFiles(
      [
        conditionOf({ trace: '/t/a.trace', up: null }, ['live-clip', 'high-motion'], ['live-clip', '/c/mine.mp4']),
        conditionOf({ trace: null, up: { trace: '/t/b.trace' } }, ['live-clip', '/c/mine.mp4'], ['iperf', 'x']),
      ],
      services,
    ),
    ['/t/a.trace', '/t/b.trace', '/c/mine.mp4'],
  );
});

test('a study that goes on says what has changed, and does so only when told to', () => {
  const before = { versions, files: { '/c/mine.mp4': 'aa' } };
  const now = {
    versions: { ...versions, kernel: '6.19', browser: null, memoryBytes: 1, 'hls.js': '1.7' },
    files: { '/c/mine.mp4': 'bb', '/c/new.mp4': 'cc' },
  };
  assert.deepEqual(softwareChanges(before, { ...before, versions: { ...versions, memoryBytes: 5 } }), []);
  const changes = [
    'kernel: 6.19, was 6.18',
    'browser: none, was Chromium 156',
    '/c/mine.mp4 has changed',
    '/c/new.mp4: the run folder has no SHA-256 of this file',
  ];
  assert.deepEqual(softwareChanges(before, now), changes);
  assert.throws(() => requireSameSoftware(before, now, { despiteChanges: false, again }), {
    code: 'bad-run-folder',
    message: `versions, machines or files have changed since the study began: ${changes.join('; ')}`,
    hint: /--resume runs\/x --despite-changes$/,
  });
  assert.deepEqual(requireSameSoftware(before, now, { despiteChanges: true, again }), changes);
  assert.deepEqual(softwareChanges({}, { ...now, files: {} }), [], 'a folder that does not say');
  const changed = (code: string) => ({ versions: { ...versions, commit: '0a1b2c3d4e5f+', code }, files: {} });
  assert.deepEqual(
    softwareChanges(changed('1.0.0/aaaaaaaaaaaa'), changed('1.0.0/bbbbbbbbbbbb')),
    ['code: 1.0.0/bbbbbbbbbbbb, was 1.0.0/aaaaaaaaaaaa'],
    'a checkout that was changed, and then changed again',
  );
  assert.deepEqual(softwareChanges(before, { ...before, hosts: ['shaper', 'left'] }), [
    'hosts: shaper, left, was this machine',
  ]);
  assert.deepEqual(softwareChanges({ ...before, hosts: ['shaper'] }, { ...before, hosts: ['shaper'] }), []);
});

test('a file whose hash was not kept is a change: a stranger may have left it out, to have any file taken', () => {
  const now = { versions, files: { '/x': 'h' } };
  const options = { despiteChanges: false, again };
  for (const before of [{ versions }, { versions, files: {} }, {}, { versions, files: null as never }])
    assert.throws(() => requireSameSoftware(before, now, options), {
      code: 'bad-run-folder',
      message: /: \/x: the run folder has no SHA-256 of this file$/,
    });
  assert.deepEqual(requireSameSoftware(now, now, options), []);
});
