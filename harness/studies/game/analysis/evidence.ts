/**
 * Results so far: the payoff of each strategy in each group, by state. The statistical unit is the trial, because the
 * flows of one trial share a link.
 */

/**
 * Mean payoff of the players of a group that play a strategy, as `payoffs[group][strategy]`. Null if no player of the
 * group plays the strategy, or if the payoff is unknown.
 */
export type Payoffs = readonly (readonly (number | null)[])[];

export type Sample = {
  n: number;
  mean: number;
  /** Unbiased variance of the payoff over trials. 0 if there are fewer than two trials. */
  variance: number;
};

type Moments = { n: number; mean: number; squares: number };

const none: Sample = { n: 0, mean: NaN, variance: 0 };

/** Number of trials without a payoff after which a state gets no more trials. */
const mostWithout = 3;

export class Evidence {
  readonly #rounds = new Map<string, Map<number, Payoffs>>();
  /** Rounds whose trials lack a payoff, by id of the state. */
  readonly #without = new Map<string, Set<number>>();
  readonly #moments = new Map<string, (Moments | undefined)[][]>();

  /** Records a trial in which a player has no payoff. The trial does not count, and its round is not run again. */
  leaveOut(state: string, round: number): void {
    this.#without.set(state, (this.#without.get(state) ?? new Set()).add(round));
  }

  /** Number of trials that lack a payoff. */
  get without(): number {
    return [...this.#without.values()].reduce((sum, rounds) => sum + rounds.size, 0);
  }

  /**
   * Number of trials that lack a payoff, by id of the state. Contains only states that get no more trials for this
   * reason.
   */
  get unmeasurable(): Map<string, number> {
    return new Map(
      [...this.#without].map(([state, { size }]) => [state, size] as const).filter(([, n]) => n >= mostWithout),
    );
  }

  /** Returns the rounds of a state that need no further trial, ascending: those with a payoff, and those left out. */
  taken(state: string): number[] {
    return [...this.rounds(state), ...(this.#without.get(state) ?? [])].sort((a, b) => a - b);
  }

  /**
   * Adds a trial. `round`: number of the trial within its state, from 1. Throws if the state already has a trial of
   * this round.
   */
  add(state: string, round: number, payoffs: Payoffs): void {
    const rounds = this.#rounds.get(state) ?? new Map<number, Payoffs>();
    if (rounds.has(round)) throw new Error(`round ${round} of state ${state} is there twice`);
    this.#rounds.set(state, rounds.set(round, payoffs));
    const all = this.#moments.get(state) ?? payoffs.map(() => []);
    this.#moments.set(state, all);
    for (const [group, byStrategy] of payoffs.entries()) {
      for (const [strategy, value] of byStrategy.entries()) {
        if (value === null || !Number.isFinite(value)) continue;
        const moments = (all[group]![strategy] ??= { n: 0, mean: 0, squares: 0 });
        moments.n++;
        const step = value - moments.mean;
        moments.mean += step / moments.n;
        moments.squares += step * (value - moments.mean);
      }
    }
  }

  get states(): string[] {
    return [...this.#rounds.keys()];
  }

  /** Number of trials that count, over all states. */
  get trials(): number {
    return [...this.#rounds.values()].reduce((sum, rounds) => sum + rounds.size, 0);
  }

  /** Returns the number of trials of a state that count. */
  count(state: string): number {
    return this.#rounds.get(state)?.size ?? 0;
  }

  /** Returns the rounds of a state whose trials count, ascending. */
  rounds(state: string): number[] {
    return [...(this.#rounds.get(state)?.keys() ?? [])].sort((a, b) => a - b);
  }

  sample(state: string, group: number, strategy: number): Sample {
    const moments = this.#moments.get(state)?.[group]?.[strategy];
    if (moments === undefined) return none;
    return { n: moments.n, mean: moments.mean, variance: moments.n < 2 ? 0 : moments.squares / (moments.n - 1) };
  }

  /** Returns the payoffs of a strategy in a group, in ascending order of rounds. */
  values(state: string, group: number, strategy: number): number[] {
    const rounds = this.#rounds.get(state);
    return this.rounds(state).flatMap(round => rounds!.get(round)![group]?.[strategy] ?? []);
  }
}
