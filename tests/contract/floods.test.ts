/** What every flood has to keep: each folder in harness/floods/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../core/errors.ts';
import { loadPlugins } from '../../core/plugins.ts';
import type { FloodPlugin } from '../../harness/floods/flood.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const floods = await loadPlugins<FloodPlugin>(new URL('../../harness/floods/', import.meta.url), 'flood');

test('there is one that is none', () => assert.ok(floods.has('none')));

for (const [id, plugin] of floods) {
  test(`${id}: says what it is`, () => saysWhatItIs(plugin, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: whether this machine can run it is known before there is a network`, async () => {
    try {
      await plugin.check(undefined, plugin.params.parse({}) as never);
    } catch (error) {
      assert.ok(error instanceof CoexistError && error.exitStatus === 2, String(error));
    }
  });
}

test('none: nothing is started', async () => {
  const none = floods.get('none')!;
  await none.check(undefined, {} as never);
  assert.equal(await none.start({} as never, {} as never), null);
});
