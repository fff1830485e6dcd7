import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherWayFindings } from '../../../../harness/trial/window-received.ts';

test('what an application got must have come over the link', () => {
  assert.deepEqual(otherWayFindings('call', 9.1e6, 9.3e6), []);
  assert.deepEqual(otherWayFindings('call', 4e5, 0), [], 'less may have been on its way');
  assert.deepEqual(otherWayFindings('call', 9.1e6, 5e4), [
    {
      kind: 'link',
      status: 'invalid',
      message: 'call got 9.1 MB, of which 0.1 MB at most came over the link',
    },
  ]);
});
