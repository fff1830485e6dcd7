/** Preflight of disciplines on slow and fast links, in both directions, in virtual time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatRate } from '../../../../../core/text/units.ts';
import type { Direction } from '../../../../../core/vocabulary/link.ts';
import { sharedStart } from '../../../support/shared-start.ts';
import { skip } from '../../support/link-make.ts';
import { buildReplay } from '../../support/replay.ts';
import { emulated, failures, managedLink, told } from './managed-link.ts';
import { aqms, virtualPreflight } from './virtual-link.ts';

/** Readings that tell the law of a discipline. */
const lawIds = ['first-drop', 'drop-share', 'managed-delay', 'coupling', 'discipline'];

/**
 * Tests that no link that is as asked for fails at these rates and directions, and that each discipline is proved by its
 * own law or left out with a note.
 */
export function passesPreflight(links: readonly (readonly [rateBps: number, direction: Direction])[]): void {
  describe('every discipline', { skip }, () => {
    sharedStart(buildReplay);
    for (const id of emulated)
      for (const [rateBps, direction] of links)
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
}
