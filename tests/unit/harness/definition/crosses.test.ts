import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePlan } from '../../../../harness/studies/experiment/dry-run.ts';
import { definition, planOf, registries } from '../support/plan.ts';

const then = [1, 2].map(() => ({ rate: '8mbit', queue: { limit: '50packets' } }));
const rowOf = (crosses: string | string[], link: object = { then }) =>
  planOf({
    link: { ...definition.link, ...link, rtt: '30ms', flooder: { crosses } },
    conditions: { row: {} },
  } as never);
const spanOf = (crosses: string | string[]) => rowOf(crosses).conditions[0]!.link.paths['flood']!.crosses;

test('an application crosses the bottlenecks that it names; all of them are no choice', () => {
  assert.deepEqual(spanOf('hop-1'), { from: 1, to: 1 });
  assert.deepEqual(spanOf(['hop-2', 'hop-3']), { from: 2, to: 3 });
  assert.equal(spanOf(['hop-1', 'hop-2', 'hop-3']), undefined);
  assert.match(
    describePlan(rowOf('hop-2'), registries as never),
    /^flood .* base RTT 30 ms, crosses bottleneck 2 only /m,
  );
});

test('names that are no part of the row are refused in one line', () => {
  const refused = (crosses: string | string[], message: RegExp, link?: object) =>
    assert.throws(() => rowOf(crosses, link), { code: 'bad-definition', message });
  refused('hop-4', /^link: crosses of flood: there is no bottleneck "hop-4"$/);
  refused(['hop-3', 'hop-2'], /link: crosses of flood: hop-3, hop-2 do not follow each other in the row$/);
  refused(['hop-1', 'hop-3'], /link: crosses of flood: hop-1, hop-3 do not follow each other in the row$/);
  refused(['hop-2', 'hop-2'], /do not follow each other/);
  refused('hop-1', /link: crosses of flood: the link has one bottleneck, which all applications cross$/, {});
  refused([], /flood/);
});
