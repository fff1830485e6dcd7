import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summariseGame } from '../../../harness/games/summarise.ts';
import type { GameTrial } from '../../../harness/games/summarise.ts';
import { conditionOfState } from '../../../harness/games/players.ts';
import { conditionId } from '../../../harness/games/plan.ts';
import type { GamePlan } from '../../../harness/games/plan.ts';
import { allStates, stateId } from '../../../harness/games/analysis/game.ts';
import type { State } from '../../../harness/games/analysis/game.ts';
import { renderGameReport } from '../../../reports/games/render.ts';
import { fileOf, gamePlan, registries, twoFlows } from '../harness/games/support.ts';

/** Trials of every state, with payoffs by a rule. */
function trialsOf(
  plan: GamePlan,
  trials: number,
  payoff: (state: State, group: number, strategy: number) => number,
): GameTrial[] {
  return plan.cases.flatMap(game =>
    allStates(game).flatMap(state =>
      Array.from({ length: trials }, (_, k): GameTrial => {
        const condition = conditionId(game, stateId(game, state));
        const trial = { number: k + 1, id: `${condition}-00${k + 1}`, condition, repeat: k + 1, seed: 1 };
        const spec = conditionOfState(
          { definition: game.definition, game, run: plan.run },
          state,
          { round: k + 1, id: condition, title: condition },
          registries,
        );
        const factor = 1 + ((k % 3) - 1) * 0.004;
        return {
          name: trial.id,
          file: fileOf({ trial, condition: spec }),
          measured: {
            payoffs: state.map((counts, g) =>
              counts.map((count, s) => (count === 0 ? null : payoff(state, g, s) * factor)),
            ),
            shorter: [
              {
                windowMs: 30_000,
                payoffs: state.map((counts, g) =>
                  counts.map((count, s) => (count === 0 ? null : payoff(state, g, s) * factor * 1.01)),
                ),
              },
            ],
            link: { 'link-utilisation': 0.97, 'rtt-median': 60 },
            beside: {},
          },
        };
      }),
    ),
  );
}

const versions = { coexist: '0', commit: null, kernel: '6', processor: 'x', cores: 2, browser: null } as never;
const render = (plan: GamePlan, trials: GameTrial[]) => {
  const summary = summariseGame(plan, trials, new Map());
  return { summary, page: renderGameReport({ plan, versions, createdMs: 0, summary }) };
};

test('a game of six alike players: its equilibrium, curves with the model beside, diagram, costs', async () => {
  const plan = gamePlan({
    ...twoFlows,
    groups: { all: { players: 6, link: { rtt: '40ms' } } },
    link: { rate: '20mbit', queue: { limit: '4bdp' } },
    exhaustive: true,
  });
  const bbrs = (state: State) => state[0]![1]!;
  const share = (state: State, strategy: number) => {
    const weight = Math.exp(1.2 * (0.5 - bbrs(state) / 6));
    return (20e6 * (strategy === 1 ? weight : 1)) / (bbrs(state) * weight + 6 - bbrs(state));
  };
  const { summary, page } = render(
    plan,
    trialsOf(plan, 6, (state, _, strategy) => share(state, strategy)),
  );
  const [game] = summary.games;
  assert.equal(game!.answer!.kind, 'equilibrium');
  assert.deepEqual(game!.answer!.states, ['3cubic-3bbr']);
  assert.ok(game!.states.find(({ id }) => id === '3cubic-3bbr')!.jain! > 0.99);
  assert.ok(game!.states.find(({ id }) => id === '5cubic-1bbr')!.model!.share > 0.5);
  assert.ok(Math.abs(game!.priceOfAnarchy! - 1) < 0.01);
  const text = await page;
  for (const part of [
    '<b>3 CUBIC, 3 BBRv1</b>',
    'after one more has switched to it',
    'Model of Ware et al.',
    'Jain&#39;s index',
    'regret at most',
    'The first 30 s alone give payoffs within 1',
    'of those of the whole 60 s',
  ])
    assert.ok(text.includes(part), part);
  assert.ok(!/NaN|undefined|Infinity/.test(text.replace(/<script[\s\S]*?<\/script>/g, '')), 'numbers that are none');
});

test("two flows over the buffer: an equilibrium for each, and the ratio of the paper's figure 1", async () => {
  const plan = gamePlan({
    ...twoFlows,
    exhaustive: true,
    vary: { 'link.queue.limit': ['1bdp', '4bdp'] },
    reference: { title: 'Paper', says: ['It says <so>.'], games: { 'limit-1bdp': 'both play BBR' } },
  });
  const { summary, page } = render(
    plan,
    trialsOf(plan, 4, (state, group, strategy) =>
      state[0]![strategy]! + state[1]![strategy]! === 2 ? 10e6 : strategy === 1 ? 13e6 + group : 7e6,
    ),
  );
  assert.deepEqual(
    summary.games.map(({ answer }) => answer!.states),
    [['1bbr_1bbr'], ['1bbr_1bbr']],
  );
  const text = await page;
  for (const part of [
    'both play BBR',
    'It says &lt;so&gt;.',
    'BBRv1 with 80 ms beside CUBIC with 40 ms',
    'near: 1 BBRv1; far: 1 BBRv1',
  ])
    assert.ok(text.includes(part), part);
});

test('a game that has no trial yet is shown as not complete', async () => {
  const plan = gamePlan(twoFlows);
  const { page } = render(plan, []);
  assert.ok((await page).includes('not complete'));
});
