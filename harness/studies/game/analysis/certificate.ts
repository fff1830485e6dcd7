/**
 * Judges if a state is an equilibrium, from the gain of every single switch out of it.
 *
 * A state is an equilibrium up to the tolerance if every switch is shown not to pay. This is an intersection-union
 * test, whose level is that of each part without correction (Berger, Technometrics 1982). A state is refuted if a
 * switch is shown to pay. Chance shows this more often with more switches, so the level is divided by their number
 * (Bonferroni).
 */
import type { Evidence } from './evidence.ts';
import { type Gain, type GainVerdict, gainOf, type Judge, prepareLevels, trialsToDecide } from './gain.ts';
import { type Deviation, deviationsOf, type Game, type State, stateId } from './game.ts';

export type JudgedDeviation = Deviation & {
  targetId: string;
  /** `high` has the level of a single switch, `low` that of all switches together. */
  gain: Gain;
  verdict: GainVerdict;
  /**
   * Number of trials of each of both states that would decide the switch. Null if it is decided, or if nothing is
   * known.
   */
  trialsNeeded: number | null;
};

export type StateVerdict = 'equilibrium' | 'refuted' | 'open';

export type Certificate = {
  state: State;
  id: string;
  verdict: StateVerdict;
  /** Upper bound of a player's gain by a switch, at least 0. Null while any bound is unknown. */
  regret: number | null;
  deviations: JudgedDeviation[];
};

/** Levels of the bounds that show that a switch does not pay, and that it does (Bonferroni over `switches`). */
const alphasOf = ({ confidence }: Pick<Judge, 'confidence'>, switches: number) => ({
  not: 1 - confidence,
  pays: (1 - confidence) / switches,
});

/** Computes the levels of every certificate of a game, before any trial runs. */
export function prepareCertificates(game: Game, judge: Pick<Judge, 'confidence' | 'most'>): void {
  // If a group plays k strategies, k * (strategies - 1) kinds of switches lead out of it.
  const strategies = game.strategies.length;
  const kinds = game.groups.map(({ players }) =>
    Array.from({ length: Math.min(strategies, players) }, (_, k) => (k + 1) * (strategies - 1)),
  );
  const counts = kinds.reduce<number[]>(
    (sums, own) => [...new Set(sums.flatMap(sum => own.map(one => sum + one)))],
    [0],
  );
  const alphas = counts.flatMap(count => Object.values(alphasOf(judge, count)));
  prepareLevels([...new Set(alphas)], judge.most);
}

export function certify(game: Game, state: State, evidence: Evidence, judge: Judge): Certificate {
  const id = stateId(game, state);
  const all = deviationsOf(game, state);
  const alphas = alphasOf(judge, all.length);
  const deviations = all.map((deviation): JudgedDeviation => {
    const { group, from, to, target } = deviation;
    const targetId = stateId(game, target);
    const [stayed, switched] = [evidence.sample(id, group, from), evidence.sample(targetId, group, to)];
    const single = gainOf(stayed, switched, judge, alphas.not);
    const corrected = gainOf(stayed, switched, judge, alphas.pays);
    const verdict =
      single.high !== null && single.high < judge.tolerance
        ? 'not-profitable'
        : corrected.low !== null && corrected.low > judge.tolerance
          ? 'profitable'
          : 'open';
    return {
      ...deviation,
      targetId,
      verdict,
      gain: { ...single, low: corrected.low },
      trialsNeeded: verdict === 'open' ? trialsToDecide(single, stayed, switched, judge.tolerance, alphas) : null,
    };
  });
  const highs = deviations.map(({ gain }) => gain.high);
  return {
    state,
    id,
    deviations,
    verdict: deviations.some(({ verdict }) => verdict === 'profitable')
      ? 'refuted'
      : deviations.every(({ verdict }) => verdict === 'not-profitable')
        ? 'equilibrium'
        : 'open',
    regret: highs.includes(null) ? null : Math.max(0, ...(highs as number[])),
  };
}
