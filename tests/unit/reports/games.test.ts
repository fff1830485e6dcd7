import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStates, type State, stateId } from '../../../harness/studies/game/analysis/game.ts';
import type { GameTrial } from '../../../harness/studies/game/measure.ts';
import { conditionId, type GamePlan } from '../../../harness/studies/game/plan.ts';
import { conditionOfState } from '../../../harness/studies/game/players.ts';
import { summariseGame } from '../../../harness/studies/game/summarise.ts';
import type { GameReport } from '../../../reports/game/data.ts';
import { plugin as report } from '../../../reports/game/index.ts';
import { fileOf, gamePlan, registries, twoFlows } from '../harness/studies/game/support.ts';
import { unjudged } from './support/judged.ts';
import { chartsOf, parsePage } from './support/run.ts';

const pageOf = async (data: Omit<GameReport, 'judged'>) => (await report.render({ ...unjudged, ...data })).page;

/** Trials of every state, with payoffs by a rule. */
function trialsOf(
  plan: GamePlan,
  trials: number,
  payoff: (state: State, group: number, strategy: number) => number,
  beside: (state: State) => Record<string, Record<string, number | null>> = () => ({}),
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
            beside: beside(state),
          },
        };
      }),
    ),
  );
}

const versions = { coexist: '0', commit: null, kernel: '6', processor: 'x', cores: 2, browser: null } as never;
const render = (plan: GamePlan, trials: GameTrial[]) => {
  const summary = summariseGame(plan, trials, new Map());
  return { summary, page: pageOf({ plan, versions, createdMs: 0, summary, changes: [] }) };
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
  assert.equal(game!.priceOfAnarchy, null, 'of shares of a full link it is 1 by construction');
  const text = await page;
  const sums = chartsOf(text).find(({ title }) => title.endsWith(': sums'))!;
  assert.deepEqual(sums.x.values, [0, 1, 2, 3, 4, 5, 6]);
  const [cubic, bbr] = sums.lines.map(({ values }) => values);
  for (const [k, value] of cubic!.entries()) assert.ok(Math.abs(value! + bbr![k]! - 20) < 0.5, 'they share the link');
  for (const part of [
    'no other state is one',
    '<b>3 CUBIC, 3 BBRv1</b>',
    'after one more has switched to it',
    'Model of Ware et al.',
    'Jain&#39;s index',
    'regret at most',
    'The first 30 s alone give every payoff within 1',
    'and so within the tolerance: windows of 30 s are long enough.',
    'From the first 30 s alone, the answer is the same, and each of the 7 states has the same verdict.',
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
  const document = parsePage(text);
  const payoffs = [...document.querySelectorAll('#payoffs tbody tr')].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
  assert.equal(payoffs.length, 16, 'two players in each of four states of two games');
  assert.match(
    payoffs.find(row => row.includes('limit 1bdp: near: 1 CUBIC; far: 1 BBRv1 far'))!,
    /far \(80 ms\), BBRv1 1 12\.99 Mbit\/s \[12\.86, 13\.12\] 4$/,
  );
  assert.ok(document.querySelector('#curves #statements')!.textContent.includes('It says <so>.'), 'under the charts');
  assert.equal(document.querySelector('#published'), null, 'and nowhere else');
});

test("where no buffer is varied the paper's statements have a section of their own", async () => {
  const plan = gamePlan({ ...twoFlows, exhaustive: true, reference: { title: 'Paper', says: ['It says so.'] } });
  const { page } = render(
    plan,
    trialsOf(plan, 4, () => 10e6),
  );
  assert.ok(
    parsePage(await page)
      .querySelector('#published')!
      .textContent.includes('It says so.'),
  );
});

/** Two identical downloads that each gain by BBR. The call beside them stalls for longer if more of them use it. */
const withCall = {
  ...twoFlows,
  groups: { all: { players: 2, link: { rtt: '40ms' as const } } },
  beside: { call: { service: { id: 'live-clip' } } },
  exhaustive: true,
};

test('what the equilibrium costs the call beside is its harm against the best state for its viewer', async () => {
  const plan = gamePlan(withCall);
  const bbrs = (state: State) => state[0]![1]!;
  const { summary, page } = render(
    plan,
    trialsOf(
      plan,
      6,
      (state, _, strategy) => (strategy === 1 ? 12e6 : 6e6) / (1 + bbrs(state) / 4),
      state => ({
        call: {
          goodput: [1e6, 2e6, 1.5e6][bbrs(state)]!,
          'stall-time': [1, 2, 4][bbrs(state)]!,
          'frame-rate': 20,
          'frame-latency-p95': null,
        },
      }),
    ),
  );
  const [game] = summary.games;
  assert.deepEqual(game!.answer!.states, ['2bbr']);
  assert.deepEqual(
    game!.besideHarm.map(({ quantity, worst, best, harm }) => [quantity, worst.id, best.id, harm]),
    [
      ['goodput', '2bbr', '1cubic-1bbr', 0.25],
      ['stall-time', '2bbr', '2cubic', 0.75],
      ['frame-rate', '2bbr', '2cubic', 0],
    ],
  );
  const text = (await page).replace(/\s+/g, ' ');
  assert.match(text, /call: stalled<\/th><td>4\.00 s<small>2 BBRv1<\/small><\/td><td>1\.00 s<small>2 CUBIC<\/small>/);
  assert.match(text, /<b>75\.0 %<\/b>/);
});

test('of several equilibria the worst one for the viewer counts; without one there is no harm', () => {
  const plan = gamePlan(withCall);
  const beside = (state: State) => ({ call: { 'stall-time': [3, 1, 2][state[0]![1]!]! } });
  const alike = (state: State, _: number, strategy: number) => (state[0]![strategy]! === 2 ? 10e6 : 5e6);
  const [several] = render(plan, trialsOf(plan, 6, alike, beside)).summary.games;
  assert.equal(several!.answer!.kind, 'equilibria');
  assert.deepEqual(
    several!.besideHarm.map(({ worst, best }) => [worst, best]),
    [
      [
        { id: '2cubic', value: 3 },
        { id: '1cubic-1bbr', value: 1 },
      ],
    ],
  );
  const [open] = render(plan, trialsOf(plan, 1, alike, beside)).summary.games;
  assert.deepEqual(open!.besideHarm, []);
});

test('a game that has no trial yet is shown as not complete', async () => {
  const plan = gamePlan(twoFlows);
  const { page } = render(plan, []);
  assert.ok((await page).includes('not complete'));
});

test('where less is better, bands are the right way round, gains are explained, and each game has its tolerance', async () => {
  const call = (controller: string) => ({ service: { id: 'live-clip', controller: { id: controller } } });
  const plan = gamePlan({
    ...twoFlows,
    groups: { all: { players: 2, link: { rtt: '40ms' } } },
    strategies: { gcc: call('gcc'), nada: call('nada') },
    payoff: 'stall-time',
    atLeast: '1s',
    exhaustive: true,
  });
  const { page } = render(
    plan,
    trialsOf(plan, 4, (_state, _group, strategy) => (strategy === 0 ? 3 : 1)),
  );
  const text = await page;
  const { lines } = chartsOf(text).find(({ title }) => title === 'The game')!;
  type Band = Record<'low' | 'high', (number | null)[]>;
  const banded = lines.flatMap(({ band, values }) => (band === undefined ? [] : [{ values, band: band as Band }]));
  assert.ok(banded.length > 0);
  for (const { band, values } of banded)
    for (const [k, value] of values.entries())
      if (value !== null) assert.ok(band.low[k]! <= value && value <= band.high[k]!, JSON.stringify(band));
  assert.ok(text.includes('are positive where the player is better off'));

  const rates = gamePlan({
    ...twoFlows,
    atLeast: '500kbit',
    vary: { 'link.rate': ['20mbit', '50mbit'] },
    exhaustive: true,
  });
  const two = await render(
    rates,
    trialsOf(rates, 3, () => 10e6),
  ).page;
  assert.match(two, /\(5\.0\u00a0% or 2\.0\u00a0% of the fair share\)/);
});

test('strategies are those of the counts, and states that were never measured have names', async () => {
  const cubic = twoFlows.strategies['cubic']!;
  const plan = gamePlan({
    ...twoFlows,
    strategies: {
      cubic: null,
      bbr: twoFlows.strategies['bbr']!,
      reno: { service: { id: 'iperf', congestionControl: 'reno' } },
    },
    vary: { 'strategies.cubic': [null, cubic] },
    exhaustive: true,
  });
  const [, withCubic] = plan.cases;
  const trials = trialsOf(plan, 3, () => 10e6).filter(
    ({ file }) => file.trial.condition !== `${withCubic!.id}.1reno_1reno`,
  );
  const { summary, page } = render(plan, trials);
  for (const [k, game] of summary.games.entries())
    assert.deepEqual(
      game.strategies.map(({ name }) => name),
      plan.cases[k]!.strategies,
    );
  assert.equal(summary.games[1]!.answer, null, 'it would be measured');
  const givenUp = new Map([[`${withCubic!.id}.1reno_1reno`, 'iperf3 ended']]);
  const lost = summariseGame(plan, trials, givenUp);
  const text = await pageOf({ plan, versions, createdMs: 0, summary: lost, changes: [] });
  assert.ok(text.includes('near: 1 Reno; far: 1 Reno: could not be measured'), 'its words');
  assert.ok(!text.includes('1reno_1reno'), 'not its id');
  await page;
});

test('a cycle is shown with the step that closes it', async () => {
  const plan = gamePlan({ ...twoFlows, exhaustive: false });
  // the first player wants the same as the second, and the second wants the opposite
  const { summary, page } = render(
    plan,
    trialsOf(plan, 6, ([near, far], group) => ((near![0] === far![0]) === (group === 0) ? 12e6 : 8e6)),
  );
  assert.equal(summary.games[0]!.answer!.kind, 'cycle');
  assert.match(
    await page,
    /best responses form a cycle: (near: 1 \w+; far: 1 \w+) \u2192 [^<]* \u2192 [^<]* \u2192 [^<]* \u2192 \1</,
  );
});
