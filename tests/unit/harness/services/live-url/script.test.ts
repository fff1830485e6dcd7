import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
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

test('its default export is what is run', async () => {
  const loaded = await loadScript(
    script('good.mjs', 'export default async (page, { signal }) => { page.seen = signal; };'),
  );
  const [page, { signal }] = [{} as { seen?: AbortSignal }, new AbortController()];
  await loaded(page as never, { signal });
  assert.equal(page.seen, signal);
});

test('one that is not there, is broken, or has nothing to offer is refused in one line', async () => {
  const refused = async (path: string, message: RegExp) =>
    assert.rejects(loadScript(path), { code: 'bad-definition', message });
  await refused(join(folder, 'none.mjs'), /^the script .*none\.mjs cannot be loaded: Cannot find module/);
  await refused(script('broken.mjs', 'export default async ('), /^the script .*broken\.mjs cannot be loaded: /);
  await refused(script('empty.mjs', 'export const run = 1;'), /has no default export that is a function$/);
});
