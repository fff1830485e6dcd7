/**
 * Judges if a state is an equilibrium, from the gain of every single switch out of the state.
 *
 * A state is an equilibrium, up to the tolerance, if every switch is shown not to pay. This is an intersection-union
 * test: if each part has level alpha, the whole test has level alpha without a correction (Berger, Technometrics 1982).
 * A state is refuted if any switch is shown to pay. The more switches there are, the more often chance shows this, so
 * alpha is divided by the number of switches (Bonferroni).
 */
import type { Evidence } from './evidence.ts';
import { type Gain, type GainVerdict, gainOf, type Judge, prepareLevels, trialsToDecide } from './gain.ts';
import { type Deviation, deviationsOf, type Game, type State, stateId } from './game.ts';
import { gainRange, unlimited } from './payoff-range.ts';

export type JudgedDeviation = Deviation & {
  targetId: string;
  /**
   * Gain by the switch with its bounds. `high` has the confidence level of a single switch, `low` that of all switches
   * together.
   */
  gain: Gain;
  verdict: GainVerdict;
  /**
   * Estimated number of trials that the state and the target each need to decide the switch. Null if the switch is
   * decided, or if nothing was measured.
   */
  trialsNeeded: number | null;
};

export type StateVerdict = 'equilibrium' | 'refuted' | 'open';

export type Certificate = {
  state: State;
  id: string;
  verdict: StateVerdict;
  /** Largest upper bound of the gains of all switches, at least 0. Null while the bound of any switch is unknown. */
  regret: number | null;
  deviations: JudgedDeviation[];
};

/**
 * Returns the values of alpha for both bounds. `not`: shows that a switch does not pay. `pays`: shows that a switch
 * pays; the error is divided by the number of `switches` (Bonferroni).
 */
const alphasOf = ({ confidence }: Pick<Judge, 'confidence'>, switches: number) => ({
  not: 1 - confidence,
  pays: (1 - confidence) / switches,
});

/** Computes, before any trial runs, the levels that the certificates of a game will need. */
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
    const rangeIn = (counts: State, strategy: number) => judge.rangeOf?.(counts[group]![strategy]!) ?? unlimited;
    const range = gainRange(rangeIn(state, from), rangeIn(target, to));
    const single = gainOf(stayed, switched, judge, alphas.not, range);
    const corrected = gainOf(stayed, switched, judge, alphas.pays, range);
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
