import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileKeysOf, withFilesBeside } from '../../../../core/schema/files-beside.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const parent = realpathSync(temporaryFolder());
const folder = join(parent, 'study');
mkdirSync(join(folder, 'clips'), { recursive: true });
for (const path of ['mine.mp4', 'clips/other.mp4', '../secret.mp4']) writeFileSync(join(folder, path), '');
symlinkSync(join(parent, 'secret.mp4'), join(folder, 'link.mp4'));

const keys = fileKeysOf(
  new Map([
    ['live-clip', { files: { clip: (name: string) => name === 'bigbuckbunny' } }],
    ['iperf', {}],
  ]),
);
const beside = (tree: unknown) => withFilesBeside(tree, folder, keys, 'mine.json');

test('a file beside the definition has its whole path from then on; what is shipped keeps its name', () => {
  assert.deepEqual(
    beside({
      title: 'mine.mp4',
      service: { id: 'live-clip', clip: 'mine.mp4' },
      applications: { a: { service: { clip: 'bigbuckbunny' } } },
    }),
    {
      title: 'mine.mp4',
      service: { id: 'live-clip', clip: join(folder, 'mine.mp4') },
      applications: { a: { service: { clip: 'bigbuckbunny' } } },
    },
  );
  assert.deepEqual(
    beside({ conditions: { one: { service: { clip: 'clips/other.mp4' } } }, link: { trace: 'mine.mp4' } }),
    {
      conditions: { one: { service: { clip: join(folder, 'clips/other.mp4') } } },
      link: { trace: join(folder, 'mine.mp4') },
    },
  );
});

test('what varies is looked at, too', () => {
  assert.deepEqual(
    beside({ vary: { 'service.clip': ['bigbuckbunny', 'mine.mp4'], service: [{ clip: 'mine.mp4' }] } }),
    {
      vary: {
        'service.clip': ['bigbuckbunny', join(folder, 'mine.mp4')],
        service: [{ clip: join(folder, 'mine.mp4') }],
      },
    },
  );
  assert.throws(() => beside({ vary: { 'link.trace': ['../secret.mp4'] } }), { code: 'bad-definition' });
});

test('no other file of the machine may be named, by no way', () => {
  for (const clip of [
    '../secret.mp4',
    join(parent, 'secret.mp4'),
    'link.mp4',
    '/etc/passwd',
    '.',
    '..',
    'clips/../../secret.mp4',
  ]) {
    assert.throws(
      () => beside({ service: { clip } }),
      {
        code: 'bad-definition',
        message: /^mine\.json: service: clip: .* is neither shipped nor beside the definition$/,
      },
      clip,
    );
  }
  assert.throws(() => beside({ service: { clip: 'none.mp4' } }), {
    code: 'bad-definition',
    message: 'mine.json: service: clip: there is no file none.mp4 beside the definition',
  });
});

test('what the user has put there is left as it is, and nothing else', () => {
  const tree = {
    service: { clip: '/elsewhere/mine.mp4' },
    conditions: { one: { service: { clip: 'mine.mp4' } } },
    vary: { 'service.clip': ['/elsewhere/other.mp4'] },
  };
  const own = ['service.clip', 'vary.service.clip'];
  assert.deepEqual(withFilesBeside(tree, folder, keys, 'mine.json', own), {
    ...tree,
    conditions: { one: { service: { clip: join(folder, 'mine.mp4') } } },
  });
  assert.throws(() => withFilesBeside(tree, folder, keys, 'mine.json', ['service.clip']), {
    message: /vary: service\.clip: there is no file \/elsewhere\/other\.mp4 beside/,
  });
  assert.throws(() => withFilesBeside(tree, folder, keys, 'mine.json', ['conditions.one.service.clip']), {
    code: 'bad-definition',
  });
});
