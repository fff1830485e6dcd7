import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../../shaper/aqm/bound-aqm.ts';
import { ShapedLink } from '../../../../shaper/backend/shaped-link.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { canAll } from '../support/capabilities.ts';
import { topologyOf } from '../support/topology.ts';

test('a link that was cleared is not cleared again before the next, and one that was formed is', async () => {
  const router = fakeHost('true', '', 'router');
  const [left, right] = [fakeHost('true', '', 'left-1'), fakeHost('true', '', 'right-1')];
  const aqms = await loadAqms();
  const shapedLink = new ShapedLink(topologyOf(router, left, right), aqms, canAll);
  const link = { ...plainLink(10e6, { unit: 'packets', value: 100 }, ['left-1']), backend: 'tc' as const };
  /** Commands that remove a link also cover the receiving host's device. */
  const clearings = () => right.asked.filter(argv => argv.includes('qdisc')).length;
  await shapedLink.set(link, 1);
  const first = clearings();
  assert.ok(first > 0, 'what somebody has left is taken off before the first');
  await shapedLink.clear();
  assert.equal(clearings(), 2 * first);
  await shapedLink.set(link, 1);
  assert.equal(clearings(), 2 * first);
  await shapedLink.set(link, 2);
  assert.equal(clearings(), 3 * first);
});
