import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enabledOffloads } from '../../../../shaper/topology/offloads.ts';

test('offloads that are on are found by the names ethtool has for them', () => {
  const features = (on: string[]) =>
    [
      'rx-checksumming',
      'tx-checksumming',
      '\ttx-checksum-ipv4',
      'scatter-gather',
      '\ttx-scatter-gather',
      'tcp-segmentation-offload',
      '\ttx-tcp-segmentation',
      'generic-segmentation-offload',
      'generic-receive-offload',
      'large-receive-offload',
      'rx-vlan-offload',
    ]
      .map(name => `${name}: ${on.includes(name) ? 'on' : 'off'}`)
      .join('\n');
  assert.deepEqual(enabledOffloads(`Features for toClient:\n${features([])}\n`), []);
  assert.deepEqual(enabledOffloads(features(['tcp-segmentation-offload', 'generic-receive-offload'])), ['tso', 'gro']);
  assert.deepEqual(enabledOffloads(features(['large-receive-offload'])), ['lro'], 'several packets received as one');
  assert.deepEqual(
    enabledOffloads(features(['generic-segmentation-offload', 'tx-checksumming', 'rx-checksumming', 'scatter-gather'])),
    ['gso', 'tx', 'rx', 'sg'],
  );
});

test('others, and parts of those, do not matter', () => {
  assert.deepEqual(
    enabledOffloads('\ttx-tcp-segmentation: on\n\ttx-checksum-ipv4: on\nrx-vlan-offload: on\nhighdma: on\n'),
    [],
  );
  assert.deepEqual(enabledOffloads('generic-segmentation-offload: off [requested on]\n'), []);
});
