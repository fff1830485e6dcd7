/**
 * Whatever stands in a definition or in the plan of a folder, it is a plan that holds to its bounds or is refused in a
 * line.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import { loadStudy, studyNames } from '../../harness/definition/load.ts';
import { makePlan } from '../../harness/definition/plan.ts';
import { asKept } from '../../harness/record/kept-plan.ts';
import { checkedTrialName } from '../../harness/record/trial-name.ts';
import { planAgain } from '../../harness/studies/experiment/index.ts';
import { gamePlanAgain } from '../../harness/studies/game/index.ts';
import { gameNames, loadGame } from '../../harness/studies/game/load.ts';
import { conditionId, makeGamePlan } from '../../harness/studies/game/plan.ts';
import { loadMetrics } from '../../harness/studies/metrics.ts';
import { pairsPlanAgain } from '../../harness/studies/pairs/plan-again.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import { pairsPlanOf } from '../unit/harness/studies/pairs/support/plan-of.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261123;
const registries = await loadRegistries();
const definitions = await Promise.all((await studyNames()).map(async name => (await loadStudy(name)).definition));
const small = definitions.filter(definition => Object.keys(definition.vary ?? {}).length === 0);

function isRefusal(error: unknown): undefined {
  assert.ok(
    error instanceof CoexistError && error.exitStatus === exitStatus.usage,
    error instanceof Error ? error.stack : messageOf(error),
  );
  assert.ok(!error.message.includes('\n') || error.message.length < 5000, error.message);
  return undefined;
}

/** What `make` makes, or undefined where it refuses in a line. */
function refusedOr<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    return isRefusal(error);
  }
}

test('definitions', () => {
  const seen = { plans: 0, refusals: 0 };
  fc.assert(
    fc.property(changed(small), definition => {
      const plan = refusedOr(() => makePlan('study', definition, registries));
      if (plan === undefined) return void seen.refusals++;
      seen.plans++;
      for (const { id } of plan.trials) checkedTrialName(id);
      assert.ok(plan.conditions.every(({ applications, link }) => applications.length <= 64 && link.rateBps > 0));
      assert.deepEqual(asKept(makePlan('study', definition, registries)), asKept(plan), 'the same each time');
    }),
    effort(seed, 400),
  );
  assert.ok(seen.plans > 6 && seen.refusals > 50, JSON.stringify(seen));
});

test('plans of folders: what is gone on with is what its definition makes', () => {
  const plans = small.map(
    definition => asKept(makePlan('study', definition, registries)) as ReturnType<typeof makePlan>,
  );
  const seen = { plans: 0, refusals: 0 };
  fc.assert(
    fc.property(changed(plans), kept => {
      const plan = refusedOr(() => planAgain(kept, registries, 'x'));
      if (plan === undefined) return void seen.refusals++;
      seen.plans++;
      assert.deepEqual(asKept(plan), kept);
    }),
    effort(seed, 150),
  );
  assert.ok(seen.refusals > 35, JSON.stringify(seen));
});

test('plans of pairwise studies', async () => {
  const made = [{ quick: true }, { services: 'iperf-cubic,web-text', set: ['run.window=30s'] }];
  const plans = (await Promise.all(made.map(values => pairsPlanOf(values, registries)))).map(asKept);
  const seen = { plans: 0, refusals: 0 };
  fc.assert(
    fc.property(changed(plans), kept => {
      const plan = refusedOr(() =>
        pairsPlanAgain(kept, registries, 'x', { trustScripts: false, privateNetworks: false }),
      );
      if (plan === undefined) return void seen.refusals++;
      seen.plans++;
      for (const { id } of plan.cells) checkedTrialName(id);
      assert.deepEqual(asKept(plan), kept);
    }),
    effort(seed, 400),
  );
  assert.ok(seen.refusals > 200, JSON.stringify(seen));
});

test('definitions of games, and plans of their folders', async () => {
  const games = await Promise.all((await gameNames()).map(async name => (await loadGame(name)).definition));
  const quantities = (await loadMetrics()).flatMap(metric => metric.quantities);
  const make = (definition: (typeof games)[number]) => makeGamePlan('game', definition, registries, quantities);
  const seen = { plans: 0, refusals: 0, folders: 0 };
  fc.assert(
    fc.property(changed(games), definition => {
      const plan = refusedOr(() => make(definition));
      if (plan === undefined) return void seen.refusals++;
      seen.plans++;
      for (const game of plan.cases) checkedTrialName(conditionId(game, 'state'));
      assert.deepEqual(asKept(make(definition)), asKept(plan), 'the same each time');
    }),
    effort(seed, 150),
  );
  const plans = games.map(definition => asKept(make(definition)) as ReturnType<typeof make>);
  await fc.assert(
    fc.asyncProperty(changed(plans), async kept => {
      const plan = await gamePlanAgain(kept, registries, 'x').catch(isRefusal);
      if (plan === undefined) return void seen.folders++;
      assert.deepEqual(asKept(plan), kept);
    }),
    effort(seed, 80),
  );
  assert.ok(seen.plans > 1 && seen.refusals > 20 && seen.folders > 20, JSON.stringify(seen));
});

test('a definition that is anything', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      value => void refusedOr(() => makePlan('study', value as never, registries)),
    ),
    effort(seed, 1000),
  );
});
