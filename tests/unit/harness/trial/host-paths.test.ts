import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLink, plainPath } from '../../../../core/vocabulary/link.ts';
import { withHostPaths } from '../../../../harness/trial/host-paths.ts';

test('the hosts of an application have its path; others have none of the delays, and only their bottlenecks', () => {
  const own = { ...plainPath, rttMs: 40 };
  const link = { ...plainLink(1e6, { unit: 'packets', value: 10 }), paths: { call: own } };
  const places = [null, null, null, { from: 2, to: 2 }].map((span, k) => ({
    left: { host: { name: `left-${k + 1}` } },
    span,
  }));
  assert.deepEqual(withHostPaths(link, [{ application: { name: 'call' }, pair: [1, 2] }], places).paths, {
    'left-1': plainPath,
    'left-2': own,
    'left-3': own,
    'left-4': { ...plainPath, crosses: { from: 2, to: 2 } },
  });
});
