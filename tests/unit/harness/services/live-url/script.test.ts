import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadScript } from '../../../../../harness/services/live-url/script.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const load = (path: string) => loadScript(path, sha256(path));
/** Return value of a loaded script. */
const result = async (loading: ReturnType<typeof loadScript>) => (await loading)({} as never, {} as never);

test('its default export is what is run', async () => {
  const loaded = await load(script('good.mjs', 'export default async (page, { signal }) => { page.seen = signal; };'));
  const [page, { signal }] = [{} as { seen?: AbortSignal }, new AbortController()];
  await loaded(page as never, { signal });
  assert.equal(page.seen, signal);
});

test('one that is not there, is broken, or has nothing to offer is refused in one line', async () => {
  const refused = async (path: string, message: RegExp) =>
    assert.rejects(load(path), { code: 'bad-definition', message });
  const none = join(folder, 'none.mjs');
  await assert.rejects(loadScript(none, ''), {
    code: 'bad-definition',
    message: /^the script .*none\.mjs cannot be loaded: ENOENT/,
  });
  await refused(script('broken.mjs', 'export default async ('), /^the script .*broken\.mjs cannot be loaded: /);
  await refused(script('empty.mjs', 'export const run = 1;'), /has no default export that is a function$/);
});

test('of another one than is trusted nothing is run, not even its top level', async () => {
  const path = script('other.mjs', 'globalThis.otherHasRun = true;\nexport default async () => {};');
  for (const hash of ['00', '', undefined])
    await assert.rejects(loadScript(path, hash), {
      code: 'bad-definition',
      message: /other\.mjs differs from the one that is trusted$/,
    });
  assert.equal('otherHasRun' in globalThis, false);
});

test('what has been compared is run, although the file is exchanged meanwhile', async () => {
  const kinds = { 'swap.mjs': 'export default', 'swap.ts': 'export default', 'swap.cjs': 'module.exports =' };
  for (const [name, exported] of Object.entries(kinds)) {
    const path = script(name, `${exported} async () => 'trusted';`);
    const loading = load(path);
    script(name, `${exported} async () => 'other';`);
    assert.equal(await result(loading), 'trusted', name);
  }
});

test('a script that was changed, and is trusted anew, is run as it is now; it may be a link, and has modules beside it', async () => {
  script('beside.mjs', "export const beside = 'beside';");
  const text = (word: string) => `import { beside } from './beside.mjs';\nexport default async () => beside + ${word};`;
  const path = script('play.mjs', text('1'));
  const link = join(folder, 'link.mjs');
  symlinkSync(path, link);
  assert.equal(await result(load(link)), 'beside1');
  script('play.mjs', text('2'));
  assert.equal(await result(load(path)), 'beside2');
});
