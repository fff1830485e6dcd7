/** What every tunnel has to keep: each folder in harness/tunnels/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../core/plugins.ts';
import type { TunnelPlugin } from '../../harness/tunnels/tunnel.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const tunnels = await loadPlugins<TunnelPlugin>(new URL('../../harness/tunnels/', import.meta.url), 'tunnel');

test('there is the one of QUIC, and none is called as where there is none', () => {
  assert.ok(tunnels.has('quic') && !tunnels.has('none'));
});

for (const [id, plugin] of tunnels) {
  test(`${id}: says what it is`, () => saysWhatItIs(plugin, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: it has a port on the link, and a few words for lists`, () => {
    assert.ok(
      Number.isInteger(plugin.port) && plugin.port > 1023 && plugin.port < 65_536,
      `port is ${plugin.port}; 1024 to 65535 is allowed`,
    );
    assert.match(plugin.describe(plugin.params.parse({})), /^[^\n]{3,60}$/);
  });
}
