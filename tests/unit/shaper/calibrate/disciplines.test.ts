/**
 * Preflight of every discipline on slow and fast links, in both directions, in virtual time: no link that is as asked for
 * may fail, and each discipline is proved by its own law or left out with a note.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { plainLink } from '../../../../core/link.ts';
import type { Bottleneck, Direction, Link } from '../../../../core/link.ts';
import { formatRate } from '../../../../core/units.ts';
import { formatReading } from '../../../../shaper/calibrate/format.ts';
import type { PreflightResult } from '../../../../shaper/calibrate/preflight.ts';
import { buildReplay } from '../support/replay.ts';
import { skip } from '../support/link-make.ts';
import { aqms, virtualPreflight } from './support/virtual-link.ts';

const rates = [64e3, 500e3, 1e6, 8e6, 40e6, 100e6, 500e6];
const directions: Direction[] = ['down', 'up'];
export const emulated = [...aqms.keys()].filter(
  id => aqms.get(id)!.emulate(aqms.get(id)!.params.parse({}) as never) !== null,
);

/** That discipline and rate in one direction, a plain FIFO of 20 Mbit/s in the other. */
export function managedLink(id: string, rateBps: number, direction: Direction, change: Partial<Bottleneck> = {}): Link {
  const plugin = aqms.get(id)!;
  const plain = plainLink(20e6, { unit: 'packets', value: 100 });
  const { queue, loss, schedule, trace, aqm } = plain;
  const fifo: Bottleneck = { rateBps: 20e6, queue, aqm, ecn: false, loss, schedule, trace };
  const managed: Bottleneck = {
    ...fifo,
    rateBps,
    queue: { unit: 'packets', value: 1000 },
    aqm: { id, title: plugin.title, params: plugin.params.parse({}) },
    ecn: id === 'dualpi2',
    ...change,
  };
  return direction === 'down' ? { ...plain, ...managed, up: fifo } : { ...plain, ...fifo, up: managed };
}

const told = (result: PreflightResult) => result.readings.map(one => `${one.verdict}: ${formatReading(one)}`).join('\n');

describe('every discipline at every rate', { skip }, () => {
  before(buildReplay);
  for (const id of emulated)
    for (const rateBps of rates)
      for (const direction of directions)
        test(`${id} at ${formatRate(rateBps)}, ${direction}`, async context => {
          const result = await virtualPreflight(managedLink(id, rateBps, direction), direction);
          context.diagnostic(told(result));
          const failed = result.readings.filter(({ verdict }) => ['refused', 'repeat'].includes(verdict));
          assert.deepEqual(failed.map(formatReading), [], told(result));
          assert.notEqual(result.status, 'refused');
        });
});
