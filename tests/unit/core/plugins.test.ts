import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bindable, boundOf, loadPlugins, pick } from '../../../core/plugins.ts';
import { duration, object } from '../../../core/schema/schema.ts';
import { temporaryFolder } from '../harness/support/folder.ts';

const directory = temporaryFolder();
const url = pathToFileURL(`${directory}/`);

function write(folder: string, text: string): void {
  mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, folder, 'index.ts'), text);
}

test('every folder with an index is a plug-in; other files are not', async () => {
  write('b', "export const plugin = { id: 'b', title: 'B' };");
  write('a', "export const plugin = { id: 'a', title: 'A' };");
  writeFileSync(join(directory, 'helper.ts'), '');
  mkdirSync(join(directory, 'empty'), { recursive: true });
  const plugins = await loadPlugins(url, 'thing');
  assert.deepEqual([...plugins.keys()], ['a', 'b']);
  assert.equal(pick(plugins, 'a', 'thing').title, 'A');
  assert.throws(() => pick(plugins, 'c', 'thing'), /there is no thing named "c"/);
});

test("a plug-in must bear its folder's name", async () => {
  write('c', "export const plugin = { id: 'other' };");
  await assert.rejects(loadPlugins(url, 'thing'), /the thing's id is "other", its folder "c"/);
});

test('a plug-in is bound to what a definition says, and to what was checked before', () => {
  const params = object({ hold: duration() });
  const plugin = bindable({ id: 'a', title: 'A', source: 'own', params }, given => JSON.stringify(given));
  assert.equal(plugin.bind({ hold: '2s' }, 'a thing'), '{"hold":2000}');
  assert.throws(() => plugin.bind({ hold: 2 }, 'a thing'), {
    code: 'bad-definition',
    message: /^a thing: hold: 2 is not a duration/,
  });
  assert.equal(boundOf(new Map([['a', plugin]]), { id: 'a', params: { hold: 3000 } }, 'thing'), '{"hold":3000}');
});
