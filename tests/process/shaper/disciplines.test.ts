/**
 * Preflight of every discipline on slow and fast links, in both directions, in virtual time: no link that is as asked for
 * may fail, and each discipline is proved by its own law or left out with a note.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatRate } from '../../../core/text/units.ts';
import type { Direction } from '../../../core/vocabulary/link.ts';
import { emulated, failures, managedLink, told } from '../../unit/shaper/calibrate/support/managed-link.ts';
import { aqms, virtualPreflight } from '../../unit/shaper/calibrate/support/virtual-link.ts';
import { skip } from '../../unit/shaper/support/link-make.ts';
import { buildReplay } from '../../unit/shaper/support/replay.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const rates = [64e3, 500e3, 1e6, 8e6, 40e6, 100e6, 500e6];
/** What tells of the law of a discipline. */
const lawIds = ['first-drop', 'drop-share', 'managed-delay', 'coupling', 'discipline'];
const directions: Direction[] = ['down', 'up'];
describe('every discipline at every rate', { skip }, () => {
  sharedStart(buildReplay);
  for (const id of emulated)
    for (const rateBps of rates)
      for (const direction of directions)
        test(`${id} at ${formatRate(rateBps)}, ${direction}`, async context => {
          const result = await virtualPreflight(managedLink(id, rateBps, direction), direction);
          context.diagnostic(told(result));
          assert.deepEqual(failures(result), [], told(result));
          const isFast = rateBps > 300e6;
          assert.equal(result.status, isFast ? 'degraded' : 'passed', told(result));
          const law = result.readings.filter(one => lawIds.includes(one.id));
          const known = aqms.get(id)!.bind({}, id).law(1514);
          // a queue that drops only when it is full is proved by its limit
          if (known?.kind === 'tail') assert.deepEqual(law, []);
          else
            assert.ok(
              law.length > 0 &&
                law.every(one => one.verdict === 'ok' || (one.verdict === 'skipped' && one.note !== null)),
              told(result),
            );
          if (!isFast && known !== null)
            assert.ok(
              law.every(one => one.verdict === 'ok'),
              told(result),
            );
        });
});
