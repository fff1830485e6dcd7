/** Results of a game study as thresholds, claims and comparisons of runs name them: states, and strategies in them. */
import { mean } from '../../../core/stats/quantile.ts';
import { type Estimate, noEstimate } from '../../../core/vocabulary/estimate.ts';
import type { Compared } from '../../analysis/compare/compare-runs.ts';
import type { Gated } from '../../analysis/gate/gated.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { ConditionResults, Results, TrialResults } from '../../analysis/summary/results.ts';
import { isTree } from '../../definition/set.ts';
import { meanBounds } from './analysis/gain.ts';
import { type State, stateId, stateNamed, uniformState } from './analysis/game.ts';
import { payoffRange, type Range } from './analysis/payoff-range.ts';
import { highestOf } from './judge.ts';
import { betterBeside, type GameTrial, ofLink } from './measure.ts';
import { conditionId, type GameCase, type GamePlan, stateOfCondition } from './plan.ts';

/** Returns the quantities that a game reports: its payoff, and those of the link and of the other applications. */
export function gameQuantities({ payoff }: Pick<GamePlan, 'payoff'>, all: readonly Quantity[]): Quantity[] {
  const ids: readonly string[] = [payoff.quantity, ...Object.keys(betterBeside), ...ofLink];
  return all.filter(({ id }) => ids.includes(id));
}

type Place = { condition: string; game: GameCase; id: string; state: State };

/** Returns the state of a condition; undefined if no game of the plan has it. */
function placeOf({ cases }: Pick<GamePlan, 'cases'>, condition: string): Place | undefined {
  for (const game of cases) {
    const id = stateOfCondition(game, condition);
    const state = id === undefined ? undefined : stateNamed(game, id);
    if (id !== undefined && state !== undefined) return { condition, game, id, state };
  }
  return undefined;
}

/** Returns the texts of a definition's thresholds and claims that may name a condition. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isTree(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Name under which the players of a group with one strategy have their values: "near-bbr". */
const roleName = ({ groups, strategies }: GameCase, group: number, strategy: number) =>
  `${groups[group]!.name}-${strategies[strategy]!}`;

/** Returns the names of the roles that are played in a state. */
const rolesIn = ({ game, state }: Place): { name: string; group: number; strategy: number }[] =>
  state.flatMap((counts, group) =>
    counts.flatMap((count, strategy) =>
      count === 0 ? [] : [{ name: roleName(game, group, strategy), group, strategy }],
    ),
  );

/** Returns the names of the applications that are not players. */
const besidesOf = ({ definition }: GameCase): string[] =>
  Object.entries(definition.beside ?? {}).flatMap(([name, { count = 1 }]) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, k) => `${name}-${k + 1}`),
  );

/** Returns the states that can be named, those with trials (`measured`) first. */
function placesOf(plan: Pick<GamePlan, 'cases' | 'definition'>, measured: readonly string[]): Place[] {
  const { require, claims } = plan.definition;
  const uniform = plan.cases.flatMap(game =>
    game.strategies.map((_, k) => conditionId(game, stateId(game, uniformState(game, k)))),
  );
  const all = new Set([...measured, ...textsIn([require, claims]), ...uniform]);
  return [...all].flatMap(condition => placeOf(plan, condition) ?? []);
}

/**
 * Returns what thresholds and claims can name: states, and by the id of a game all of its states with trials.
 * `measured`: conditions with trials; a threshold that names no condition judges these.
 */
export const gameGated = (
  plan: GamePlan,
  quantities: readonly Quantity[],
  measured: readonly string[] = [],
): Gated => ({
  study: plan.study,
  source: plan.source,
  definition: plan.definition,
  quantities,
  conditions: placesOf(plan, measured).map(place => ({
    id: place.condition,
    ...(place.game.id === '' ? {} : { name: place.game.id }),
    applications: [...rolesIn(place).map(({ name }) => name), ...besidesOf(place.game)].map(name => ({ name })),
    subject: null,
    ...(measured.includes(place.condition) ? {} : { isOnlyNamed: true as const }),
  })),
});

/** Returns the mean with bounds that stay valid when they are checked after every trial. `range`: possible means. */
function estimate(
  values: readonly (number | null | undefined)[],
  { confidence, run }: GamePlan,
  range: Range,
): Estimate {
  const given = values.filter(value => value !== null && value !== undefined);
  const [n, value] = [given.length, mean(given)];
  if (value === undefined) return noEstimate;
  const variance = n < 2 ? 0 : given.reduce((sum, one) => sum + (one - value) ** 2, 0) / (n - 1);
  const bounds = meanBounds({ n, mean: value, variance }, { confidence, most: run.most }, range);
  return { value, ...bounds, n, confidence: bounds.low === null ? null : confidence };
}

function trialResults(plan: GamePlan, { name, file, measured }: GameTrial): TrialResults {
  const place = placeOf(plan, file.trial.condition);
  const common = { name, condition: file.trial.condition, machine: file.machine ?? null };
  if (measured === null || place === undefined) return { ...common, metrics: null, others: null, together: null };
  const payoffs = rolesIn(place).map(
    role => [role.name, { [plan.payoff.quantity]: measured.payoffs[role.group]?.[role.strategy] ?? null }] as const,
  );
  return {
    ...common,
    metrics: measured.link,
    others: { ...measured.beside, ...Object.fromEntries(payoffs) },
    together: {},
  };
}

export function gameResults(plan: GamePlan, quantities: readonly Quantity[], all: readonly GameTrial[]): Results {
  const trials = all.map(trial => trialResults(plan, trial));
  const counted = trials.filter(({ metrics }) => metrics !== null);
  const over = (values: readonly Readonly<Record<string, number | null>>[], rateBps: number | null, players = 1) =>
    Object.fromEntries(
      quantities.map(({ id, unit }) => [
        id,
        estimate(
          values.map(own => own[id]),
          plan,
          payoffRange({ unit, better: null }, rateBps, players),
        ),
      ]),
    );
  const measured = [...new Set(counted.map(({ condition }) => condition))];
  const conditions = placesOf(plan, measured).map((place): ConditionResults => {
    const own = counted.filter(({ condition }) => condition === place.condition);
    const roles = rolesIn(place).map(({ name, group, strategy }) => [name, place.state[group]![strategy]!] as const);
    const players = new Map<string, number>([...roles, ...besidesOf(place.game).map(name => [name, 1] as const)]);
    const rateBps = highestOf(plan, place.game);
    return {
      id: place.condition,
      title: place.game.title === '' ? place.id : `${place.game.title}: ${place.id}`,
      trials: own.length,
      subject: null,
      metrics: over(
        own.map(({ metrics }) => metrics!),
        rateBps,
      ),
      others: Object.fromEntries(
        [...players].map(([name, count]) => {
          const values = own.map(({ others }) => others![name] ?? {});
          return [name, over(values, rateBps, count)];
        }),
      ),
      together: {},
    };
  });
  return { quantities, conditions, trials };
}

/** Returns the description of a run for the comparison with another. */
export function comparedGame(plan: GamePlan, results: Results): Compared {
  const { study, title, question, run, payoff, confidence } = plan;
  const conditions = results.conditions.filter(({ trials }) => trials > 0);
  return {
    study,
    title,
    question,
    run,
    settings: { payoff, confidence },
    conditions: conditions.map(({ id, title: name }) => {
      const { link, groups, tolerance } = placeOf(plan, id)!.game;
      return { id, title: name, spec: { link, groups, tolerance } };
    }),
    results: { ...results, conditions },
    headline: [payoff.quantity],
    drawn: [payoff.quantity],
  };
}
