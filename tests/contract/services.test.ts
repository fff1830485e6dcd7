/** What every service has to keep: each folder in harness/services/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../harness/base/plugins.ts';
import type { ServicePlugin } from '../../harness/services/service.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const services = await loadPlugins<ServicePlugin>(new URL('../../harness/services/', import.meta.url), 'service');

test('there are services', () => assert.ok(services.size > 0));

for (const [id, plugin] of services) {
  test(`${id}: says what it is`, () => saysWhatItIs(plugin, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: the same parameters give the same preparation, also those of a plan that was read back`, () => {
    const key = (params: unknown) => plugin.preparationKey(params as never);
    const params = plugin.params.parse({});
    assert.equal(key(params), key(plugin.params.parse({})));
    assert.equal(key(params), key(JSON.parse(JSON.stringify(params))));
  });
}
