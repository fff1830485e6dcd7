/**
 * Whether a state is an equilibrium: every single switch out of it, with what it gains.
 *
 * It is one up to the tolerance when each switch is shown not to pay: an intersection-union test, whose level is that
 * of each part without correction (Berger, Technometrics 1982). It is refuted when one is shown to pay, which may come
 * by chance the more often the more there are: the level is divided by their number (Bonferroni).
 */
import type { Evidence } from './evidence.ts';
import { type Gain, type GainVerdict, gainOf, type Judge, prepareLevels, trialsToDecide } from './gain.ts';
import { type Deviation, deviationsOf, type Game, type State, stateId } from './game.ts';

export type JudgedDeviation = Deviation & {
  targetId: string;
  /** `high` at the level of one switch, `low` at that of all of them. */
  gain: Gain;
  verdict: GainVerdict;
  /** Of each state, to decide it; null where it is decided, or nothing is known. */
  trialsNeeded: number | null;
};

export type StateVerdict = 'equilibrium' | 'refuted' | 'open';

export type Certificate = {
  state: State;
  id: string;
  verdict: StateVerdict;
  /**
   * The most that a player may gain by a switch, by the bounds; null while one of them is not known. Below 0 it is
   * given as 0.
   */
  regret: number | null;
  deviations: JudgedDeviation[];
};

/** The levels of bounds: that a switch does not pay, and that it does, of so many out of a state (Bonferroni). */
const alphasOf = ({ confidence }: Pick<Judge, 'confidence'>, switches: number) => ({
  not: 1 - confidence,
  pays: (1 - confidence) / switches,
});

/** Computes the levels of every certificate of a game, before any trial runs. */
export function prepareCertificates(game: Game, judge: Pick<Judge, 'confidence' | 'most'>): void {
  // a group in which all play one strategy has one kind of switch for each other one, others have more
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
