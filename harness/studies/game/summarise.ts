/** Computes the summary of a game study from its trials. Runs no trial. */

import { jainIndex } from '../../../core/stats/fair-share.ts';
import { mean } from '../../../core/stats/quantile.ts';
import { studentQuantile } from '../../../core/stats/student-t.ts';
import { baseRttOf } from '../../../core/vocabulary/link.ts';
import { judgeResults } from '../../analysis/gate/gate.ts';
import type { Results } from '../../analysis/summary/results.ts';
import { certify } from './analysis/certificate.ts';
import { Evidence, type Payoffs } from './analysis/evidence.ts';
import { type Judge, meanBounds } from './analysis/gain.ts';
import { type State, stateNamed } from './analysis/game.ts';
import { deviationCurve, mixedEquilibria } from './analysis/mixed.ts';
import { isPaperEquilibrium } from './analysis/paper-rule.ts';
import type { Answer } from './analysis/search.ts';
import { besideHarms } from './beside-harm.ts';
import { judgeOf } from './judge.ts';
import type { GameTrial, TrialMeasurement } from './measure.ts';
import { describeGameLink, type GameCase, type GamePlan, stateOfCondition } from './plan.ts';
import { addTrial, searchOf, withoutPayoff } from './planner.ts';
import { gameGated } from './results.ts';
import type { GameCaseSummary, GameSummary, MeanValue, ShorterWindows, StateSummary } from './summary.ts';
import { modelShareOf } from './ware-model.ts';

const meanOf = (values: readonly (number | null | undefined)[]) =>
  mean(values.filter(value => value !== null && value !== undefined)) ?? null;

/** Returns the mean with two one-sided bounds by Student's t-distribution, each at 95 %. Null if there is no value. */
function boundedMean(values: readonly number[]): MeanValue | null {
  const [n, value] = [values.length, mean(values)];
  if (value === undefined) return null;
  if (n < 2) return { value, low: null, high: null, n, confidence: null };
  const variance = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / (n - 1);
  const width = studentQuantile(0.05, n - 1) * Math.sqrt(variance / n);
  return { value, low: value - width, high: value + width, n, confidence: 0.9 };
}

function meansOf(all: readonly Record<string, number | null>[]): Record<string, number | null> {
  return Object.fromEntries(Object.keys(all[0] ?? {}).map(id => [id, meanOf(all.map(values => values[id]))]));
}

/** Returns the lengths of the shorter windows for which trials have payoffs, ms, shortest first. */
const shorterLengths = (trials: readonly TrialMeasurement[]): number[] =>
  [...new Set(trials.flatMap(({ shorter }) => shorter.map(({ windowMs }) => windowMs)))].sort((a, b) => a - b);

function publishedOf({ reference }: GamePlan, { id }: GameCase): string | null {
  return reference !== null && Object.hasOwn(reference.games, id) ? reference.games[id]! : null;
}

class CaseSummariser {
  readonly #plan: GamePlan;
  readonly #game: GameCase;
  readonly #trials: readonly (GameTrial & { state: string })[];
  readonly #evidence: Evidence;
  readonly #givenUp: ReadonlyMap<string, string>;

  constructor(plan: GamePlan, game: GameCase, trials: readonly GameTrial[], givenUp: ReadonlyMap<string, string>) {
    this.#plan = plan;
    this.#game = game;
    this.#trials = trials.flatMap(trial => {
      const state = stateOfCondition(game, trial.file.trial.condition);
      return state === undefined || stateNamed(game, state) === undefined ? [] : [{ ...trial, state }];
    });
    this.#givenUp = new Map(
      [...givenUp].flatMap(([condition, reason]) => {
        const state = stateOfCondition(game, condition);
        return state === undefined || stateNamed(game, state) === undefined ? [] : [[state, reason] as const];
      }),
    );
    this.#evidence = this.#evidenceOf(({ payoffs }) => payoffs);
  }

  /** Returns the evidence of the trials that count. Trials for which `payoffsOf` returns undefined are left out. */
  #evidenceOf(payoffsOf: (measured: TrialMeasurement) => Payoffs | undefined): Evidence {
    const evidence = new Evidence();
    for (const { state, file, measured } of this.#trials) {
      const place = { state: stateNamed(this.#game, state)!, id: state, round: file.trial.repeat };
      const payoffs = measured === null ? undefined : payoffsOf(measured);
      if (payoffs !== undefined) addTrial(evidence, this.#plan, place, payoffs);
    }
    return evidence;
  }

  summarise(): GameCaseSummary {
    const [plan, game] = [this.#plan, this.#game];
    const states = this.#evidence.states
      .map(id => this.#state(stateNamed(game, id)!, id))
      .sort((a, b) => order(a.counts, b.counts));
    const answer = this.#answerOf(this.#evidence);
    const equilibria = answer?.kind === 'equilibrium' || answer?.kind === 'equilibria' ? answer.states : [];
    const curve = deviationCurve(game, this.#evidence);
    const paper = states.filter(state => state.paper !== null);
    const { trials, without, unmeasurable } = this.#evidence;
    const givenUp = [
      ...[...this.#givenUp].filter(([state]) => !unmeasurable.has(state)).map(([state, reason]) => ({ state, reason })),
      ...[...unmeasurable].map(([state, count]) => ({ state, reason: withoutPayoff(count, plan) })),
    ];
    return {
      id: game.id,
      title: game.title,
      link: describeGameLink(game),
      bufferBdp: game.bufferBdp,
      rateBps: game.link.rateBps,
      groups: game.groups.map(({ name, players }) => ({ name, players, rttMs: this.#rttOf(name) })),
      // Sorted like the strategies of the game, which `counts` refers to.
      strategies: game.strategies.map(name => plan.strategies.find(one => one.name === name)!),
      fairShareBps: game.fairShareBps,
      tolerance: game.tolerance,
      trials,
      withoutPayoff: without,
      voided: this.#trials.length - trials - without,
      answer: answer === null ? null : { ...answer, walks: answer.walks.map(({ certificates: _, ...walk }) => walk) },
      states,
      shorter: this.#shorterWindows(),
      mixed: curve === null ? null : mixedEquilibria(curve.gains),
      paper: { named: paper.filter(state => state.paper).map(({ id }) => id), asked: paper.length },
      priceOfAnarchy: this.#priceOfAnarchy(states, equilibria),
      besideHarm: besideHarms(states, equilibria),
      published: publishedOf(plan, game),
      givenUp,
      named: this.#named([...(answer === null ? [] : namedIn(answer)), ...givenUp.map(({ state }) => state)]),
    };
  }

  /** Returns the number of players by group and strategy of each named state, by id of the state. */
  #named(ids: readonly string[]): Record<string, number[][]> {
    return Object.fromEntries(
      [...new Set(ids)].map(id => [id, stateNamed(this.#game, id)!.map(counts => [...counts])]),
    );
  }

  #state(state: State, id: string): StateSummary {
    const [plan, game, evidence] = [this.#plan, this.#game, this.#evidence];
    const judge = this.#judge;
    const { verdict, regret, deviations } = certify(game, state, evidence, judge);
    const payoffs = state.map((counts, group) =>
      counts.map((count, strategy) => {
        const sample = evidence.sample(id, group, strategy);
        if (count === 0 || sample.n === 0) return null;
        const bounds = meanBounds(sample, judge, judge.rangeOf?.(count));
        const confidence = bounds.low === null ? null : judge.confidence;
        return { value: sample.mean, ...bounds, n: sample.n, confidence };
      }),
    );
    const rounds = evidence.rounds(id);
    const own = this.#trials
      .filter(trial => trial.state === id && rounds.includes(trial.file.trial.repeat))
      .flatMap(({ measured }) => measured ?? []);
    const players = state.flatMap((counts, group) =>
      counts.flatMap((count, strategy) =>
        Array.from({ length: count }, () => payoffs[group]![strategy]?.value ?? null),
      ),
    );
    return {
      id,
      counts: state.map(counts => [...counts]),
      trials: evidence.count(id),
      verdict,
      regret,
      payoffs,
      deviations: deviations.map(({ group, from, to, targetId, gain, verdict: judged, trialsNeeded }) => ({
        group: game.groups[group]!.name,
        from: game.strategies[from]!,
        to: game.strategies[to]!,
        target: targetId,
        gain: gain.estimate,
        low: gain.low,
        high: gain.high,
        verdict: judged,
        trialsNeeded: trialsNeeded === null || !Number.isFinite(trialsNeeded) ? null : trialsNeeded,
      })),
      at: Object.fromEntries(
        game.otherTolerances.map(({ title, value }) => [
          title,
          certify(game, state, evidence, { ...judge, tolerance: value }).verdict,
        ]),
      ),
      paper: isPaperEquilibrium(game, state, evidence),
      model: modelShareOf(
        game,
        state,
        game.groups.map(({ name }) => this.#rttOf(name)),
      ),
      total: players.includes(null) ? null : players.reduce<number>((sum, value) => sum + value!, 0),
      shorter: this.#shorter(state, own),
      jain:
        plan.payoff.unit !== 'bit/s' || players.some(value => value === null)
          ? null
          : jainIndex(...(players as number[])),
      link: meansOf(own.map(({ link }) => link)),
      beside: Object.fromEntries(
        Object.keys(own[0]?.beside ?? {}).map(name => [name, meansOf(own.map(({ beside }) => beside[name] ?? {}))]),
      ),
    };
  }

  get #judge(): Judge {
    return judgeOf(this.#plan, this.#game);
  }

  #answerOf(evidence: Evidence): Answer | null {
    return searchOf(this.#plan, this.#game, evidence, new Set(this.#givenUp.keys())).answer;
  }

  #shorterWindows(): ShorterWindows[] {
    return shorterLengths(this.#trials.flatMap(({ measured }) => measured ?? [])).map(windowMs => {
      const evidence = this.#evidenceOf(({ shorter }) => shorter.find(one => one.windowMs === windowMs)?.payoffs);
      const answer = this.#answerOf(evidence);
      return {
        windowMs,
        answer: answer === null ? null : { kind: answer.kind, states: answer.states },
        verdicts: Object.fromEntries(
          evidence.states.map(id => [
            id,
            certify(this.#game, stateNamed(this.#game, id)!, evidence, this.#judge).verdict,
          ]),
        ),
      };
    });
  }

  #shorter(state: State, trials: readonly TrialMeasurement[]): StateSummary['shorter'] {
    return shorterLengths(trials).map(windowMs => ({
      windowMs,
      differences: state.map((counts, g) =>
        counts.map((_, s) =>
          boundedMean(
            trials.flatMap(({ payoffs, shorter }) => {
              const whole = payoffs[g]?.[s] ?? null;
              const part = shorter.find(one => one.windowMs === windowMs)?.payoffs[g]?.[s] ?? null;
              return whole === null || part === null ? [] : [part - whole];
            }),
          ),
        ),
      ),
    }));
  }

  #rttOf(group: string): number | null {
    const { groups, link } = this.#game;
    // The name of a group may be the start of another group's name, so the longest match counts.
    const groupOf = (name: string) =>
      groups
        .map(one => one.name)
        .filter(one => name.startsWith(`${one}-`))
        .sort((a, b) => b.length - a.length)[0];
    const path = Object.entries(link.paths).find(([name]) => groupOf(name) === group)?.[1];
    return path === undefined ? null : baseRttOf(path);
  }

  /**
   * Returns the price of anarchy (Papadimitriou, 2001): the largest total payoff of any measured state, divided by the
   * total of the worst equilibrium. Null if totals cannot be compared, or if payoffs are shares of the link: their sum
   * is the same in every state in which the link is full.
   */
  #priceOfAnarchy(states: readonly StateSummary[], equilibria: readonly string[]): number | null {
    const totals = states.flatMap(({ total }) => total ?? []);
    const at = states.filter(({ id }) => equilibria.includes(id)).flatMap(({ total }) => total ?? []);
    const { better, unit } = this.#plan.payoff;
    const isShare = unit === 'bit/s' || unit === 'ratio';
    if (at.length === 0 || isShare || better === 'lower' || Math.min(...at) <= 0) return null;
    return Math.max(...totals) / Math.min(...at);
  }
}

/** Returns the ids of all states that an answer names. */
const namedIn = ({ states, cycles, walks, open }: Answer): string[] => [
  ...states,
  ...cycles.flat(),
  ...walks.flatMap(({ passed }) => passed),
  ...open,
];

/** Compares two states for sorting. States with more players of the first strategies come first. */
function order(a: readonly number[][], b: readonly number[][]): number {
  const [left, right] = [a.flat(), b.flat()];
  const at = left.findIndex((count, k) => count !== right[k]);
  return at < 0 ? 0 : right[at]! - left[at]!;
}

/** `results`: results of these trials. Missing if the plan has neither thresholds nor claims. */
export function summariseGame(
  plan: GamePlan,
  trials: readonly GameTrial[],
  givenUp: ReadonlyMap<string, string>,
  results?: Results,
): GameSummary {
  const measured = (results?.conditions ?? []).flatMap(({ id, trials: count }) => (count > 0 ? [id] : []));
  return {
    ...(results === undefined
      ? { thresholds: [], claims: [] }
      : judgeResults(gameGated(plan, results.quantities, measured), results)),
    format: 1,
    study: plan.study,
    title: plan.title,
    payoff: plan.payoff,
    confidence: plan.confidence,
    games: plan.cases.map(game => new CaseSummariser(plan, game, trials, givenUp).summarise()),
    trials: trials.map(({ name, file }) => ({
      name,
      condition: file.trial.condition,
      verdict: file.verdict,
      attempt: file.attempt,
    })),
  };
}
