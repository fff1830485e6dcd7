/** A hostile program as the decoder: its view from inside the sandbox, and its traces after the end. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { z } from '../../../../core/schema/schema.ts';
import { until } from '../../../../core/system/deadline.ts';
import { decoded } from '../../../../server/media/decoder-program.ts';
import { decoderObstacle } from '../../../../server/media/decoder-sandbox.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { standIn } from '../../../unit/harness/support/stand-in.ts';

const kinds = ['mnt', 'pid', 'ipc', 'net'];
const { status } = spawnSync('unshare', [...'--mount --pid --ipc --uts --net --fork'.split(' '), 'true']);
const skip = status === 0 ? false : 'this machine lets nobody make namespaces';

const folder = temporaryFolder();
const sleepS = String(900_000 + process.pid);
const secret = join(temporaryFolder(), 'secret');
writeFileSync(secret, 'the secret', { mode: 0o644 });
writeFileSync(
  join(folder, 'program.ts'),
  `import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
spawn('setsid', ['sleep', '${sleepS}'], { stdio: 'ignore', detached: true }).once('spawn', () => {
  console.log(JSON.stringify({
    namespaces: ${JSON.stringify(kinds)}.map(kind => readlinkSync('/proc/self/ns/' + kind)),
    seen: ['/etc/shadow', ${JSON.stringify(secret)}].filter(path => existsSync(path)),
    text: readFileSync(3, 'utf8'),
  }));
});
process.stdin.resume();
`,
);
const clip = join(folder, 'clip');
writeFileSync(clip, 'a clip');
const decoder = {
  program: join(folder, 'program.ts'),
  words: [],
  facts: z.strictObject({
    namespaces: z.array(z.string()),
    seen: z.array(z.string()),
    text: z.string(),
  }),
  what: 'the clip',
  code: 'bad-clip',
  hints: { missing: 'name another', broken: 'name another' },
} as const;

const sleepers = () =>
  readdirSync('/proc').filter(name => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${sleepS}\0`;
    } catch {
      return false;
    }
  });
/** Folder for the roots of the sandboxes, since other tests start decoders, too. */
const roots = temporaryFolder();
process.env['TMPDIR'] = roots;

test('it finds no network, no process and no file of the machine; what leaves its group ends with it', {
  skip,
}, async () => {
  await decoded(decoder, clip, async ({ namespaces, seen, text }) => {
    assert.equal(text, 'a clip');
    assert.deepEqual(seen, []);
    for (const [index, kind] of kinds.entries())
      assert.notEqual(namespaces[index], readlinkSync(`/proc/self/ns/${kind}`), kind);
    assert.deepEqual(readdirSync(roots), [], 'its root has left the folder that it was made in');
    await until(() => (sleepers().length > 0 ? true : undefined), 30_000, 'it to have started another');
  });
  await until(() => (sleepers().length === 0 ? true : undefined), 30_000, 'the other to be gone');
  assert.equal(await decoderObstacle(), null);
  assert.deepEqual(readdirSync(roots), []);
});

const { PATH } = process.env;
afterEach(() => {
  process.env['PATH'] = PATH;
});

test('where the machine refuses that once only, it has a sandbox all the same', { skip }, async () => {
  const asked = join(folder, 'asked once');
  standIn(folder, 'unshare', `[ -e '${asked}' ] || { : > '${asked}'; exit 1; }; PATH='${PATH}'; exec unshare "$@"`);
  process.env['PATH'] = `${folder}:${PATH}`;
  await decoded(decoder, clip, async ({ namespaces }) => {
    assert.notEqual(namespaces[0], readlinkSync('/proc/self/ns/mnt'));
  });
  assert.equal(await decoderObstacle(), null);
  await until(() => (sleepers().length === 0 ? true : undefined), 30_000, 'the other to be gone');
});

test('where the machine refuses that, it is started without, and not asked again', async () => {
  const asked = join(folder, 'asked');
  standIn(folder, 'unshare', `echo asked >> '${asked}'; echo 'unshare failed: Operation not permitted' >&2; exit 1`);
  process.env['PATH'] = `${folder}:${PATH}`;
  try {
    for (const _ of [1, 2])
      await decoded(decoder, clip, async ({ namespaces, text }) => {
        assert.equal(text, 'a clip');
        assert.equal(namespaces[0], readlinkSync('/proc/self/ns/mnt'));
      });
    assert.equal(await decoderObstacle(), 'unshare failed: Operation not permitted');
    assert.equal(readFileSync(asked, 'utf8'), 'asked\nasked\n');
    assert.deepEqual(readdirSync(roots), []);
  } finally {
    for (const id of sleepers()) process.kill(Number(id), 'SIGKILL');
  }
});
