/**
 * Planner of a game study. The search of each game requests trials until the game is decided. The same results always
 * lead to the same next trial, so a study that was killed continues as if it had not been interrupted.
 */
import { CoexistError } from '../../../core/errors.ts';
import { deriveSeed } from '../../../core/random.ts';
import { inSentence } from '../../../core/text/in-sentence.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Planned, Planner } from '../planner/planner.ts';
import { RetryPolicy } from '../planner/retry-policy.ts';
import { prepareCertificates } from './analysis/certificate.ts';
import { Evidence, type Payoffs } from './analysis/evidence.ts';
import { type State, stateNamed } from './analysis/game.ts';
import { type Answer, type SearchResult, search } from './analysis/search.ts';
import { judgeOf } from './judge.ts';
import { conditionId, type GameCase, type GamePlan, stateOfCondition } from './plan.ts';
import { conditionOfState, type GameRegistries, rolesOf } from './players.ts';

export type MeasurePayoffs = (file: TrialFile, game: GameCase, state: State) => Promise<Payoffs>;

type SearchPlannerOptions = {
  plan: GamePlan;
  registries: GameRegistries;
  /** Computes the payoffs of a valid trial from the trial's final folder. */
  measure: MeasurePayoffs;
  /** Called when a state is given up and gets no more trials. */
  onGivenUp?: (condition: string, reason: string) => void;
  /** Called when the trial of a round could not be started. */
  onRefused?: (trial: string, reason: string) => void;
};

type Place = { game: GameCase; state: State; id: string };

/** Returns the result of the search in a game. If the game has had `run.trials` trials, the search requests no more. */
export function searchOf(
  plan: Pick<GamePlan, 'confidence' | 'exhaustive' | 'run' | 'payoff'>,
  game: GameCase,
  evidence: Evidence,
  lost: ReadonlySet<string>,
): SearchResult {
  const options = {
    ...judgeOf(plan, game),
    exhaustive: plan.exhaustive,
    only: game.only ?? undefined,
    lost: new Set([...lost, ...evidence.unmeasurable.keys()]),
  };
  return search(game, evidence, { ...options, isOver: evidence.trials + evidence.without >= plan.run.trials });
}

/**
 * Adds a trial to the evidence. A trial in which a player has no payoff is left out, since such gaps may not be random.
 */
export function addTrial(
  evidence: Evidence,
  plan: Pick<GamePlan, 'payoff'>,
  { state, id, round }: { state: State; id: string; round: number },
  payoffs: Payoffs,
): void {
  const isWhole = state.every((counts, g) => counts.every((count, s) => count === 0 || payoffs[g]?.[s] != null));
  if (isWhole) evidence.add(id, round, oriented(plan, payoffs));
  else evidence.leaveOut(id, round);
}

/** Inverts the sign of payoffs for which lower is better, so that a larger number is always better. */
function oriented({ payoff: { better } }: Pick<GamePlan, 'payoff'>, payoffs: Payoffs): Payoffs {
  return better === 'higher'
    ? payoffs
    : payoffs.map(strategies => strategies.map(value => (value === null ? null : -value)));
}

/**
 * Number of consecutive rounds without a valid trial after which a state is given up. The next round of a state may
 * succeed, but a state that always fails must not stop the other states.
 */
const lostInRow = 3;

/** Number of trials after which the study ends if all of them lack the payoff. */
const firstWithout = 6;

export const withoutPayoff = (trials: number, { payoff }: Pick<GamePlan, 'payoff'>) =>
  `in ${trials} trials a player has no ${inSentence(payoff.title)}`;

export class SearchPlanner implements Planner {
  readonly study: string;
  readonly places: number;
  readonly mayGrow = true;
  readonly #options: SearchPlannerOptions;
  readonly #evidence: Map<string, Evidence>;
  /** Trials that are running or wait to run again, with game, state and round. By id of the trial. */
  readonly #running = new Map<string, { game: string; state: string; round: number }>();
  /** Void trials that wait to run again. */
  readonly #again: Planned[] = [];
  readonly #policy: RetryPolicy;
  /** Rounds that ended without a valid trial, by condition. */
  readonly #failed = new Map<string, Set<number>>();
  readonly #results = new Map<string, SearchResult>();

  private constructor(options: SearchPlannerOptions) {
    this.study = options.plan.study;
    this.places = options.plan.places.length;
    this.#options = options;
    const { retries } = options.plan.run;
    this.#policy = new RetryPolicy({ retries, trials: null, lostInRow }, (condition, reason) => {
      this.#drop(condition);
      options.onGivenUp?.(condition, reason);
    });
    this.#evidence = new Map(options.plan.cases.map(({ id }) => [id, new Evidence()]));
  }

  /** Creates the planner. `done`: valid trials of an earlier run. */
  static async open(options: SearchPlannerOptions, done: Iterable<TrialFile>): Promise<SearchPlanner> {
    const planner = new SearchPlanner(options);
    const { confidence, run } = options.plan;
    for (const game of options.plan.cases) prepareCertificates(game, { confidence, most: run.most });
    for (const file of done) await planner.#add(file);
    return planner;
  }

  /** Reasons why states were given up because their rounds failed, by condition. These states get no more trials. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#policy.givenUp;
  }

  get left(): number {
    return this.#options.plan.cases.reduce((sum, game) => sum + this.#result(game).needs.length, 0);
  }

  /** Returns the answer and number of trials of each game. The answer is null while the search requests trials. */
  answers(): { game: GameCase; answer: Answer | null; trials: number }[] {
    return this.#options.plan.cases.map(game => ({
      game,
      answer: this.#result(game).answer,
      trials: this.#evidence.get(game.id)!.trials,
    }));
  }

  next(): Planned | undefined {
    const again = this.#again.shift();
    if (again !== undefined) return again;
    for (const game of this.#options.plan.cases) {
      const evidence = this.#evidence.get(game.id)!;
      const running = [...this.#running.values()].filter(one => one.game === game.id).length;
      if (evidence.trials + evidence.without + running >= this.#options.plan.run.trials) continue;
      const has = (id: string) => evidence.count(id) + this.#runningOf(game, id).length;
      const needs = this.#result(game).needs.filter(({ id, trials }) => has(id) < trials);
      const fewest = Math.min(...needs.map(({ id }) => has(id)));
      const need = needs.find(({ id }) => has(id) === fewest);
      if (need !== undefined) return this.#planned({ game, state: need.state, id: need.id });
    }
    return undefined;
  }

  async take(planned: Planned, file: TrialFile): Promise<boolean> {
    const { trial } = planned;
    const fate = this.#policy.take(trial, file.verdict);
    if (fate === 'again') this.#again.push(planned);
    else this.#running.delete(trial.id);
    if (fate === 'lost') this.#leaveOut(planned);
    if (fate === 'counts') await this.#add(file);
    return fate === 'again';
  }

  refuse(planned: Planned, reason: string): boolean {
    const { trial } = planned;
    this.#running.delete(trial.id);
    this.#options.onRefused?.(trial.id, reason);
    this.#leaveOut(planned);
    this.#policy.lose(trial.condition, reason);
    return true;
  }

  #planned(place: Place): Planned {
    const { plan, registries } = this.#options;
    const { game, state, id } = place;
    const round = this.#nextRound(place);
    const condition = conditionId(game, id);
    const title = game.title === '' ? id : `${game.title}: ${id}`;
    const trial = {
      number: round,
      id: `${condition}-${String(round).padStart(3, '0')}`,
      condition,
      repeat: round,
      seed: deriveSeed(plan.run.seed, 'round', round),
    };
    this.#running.set(trial.id, { game: game.id, state: id, round });
    const spec = conditionOfState(
      { definition: game.definition, game, run: plan.run },
      state,
      { round, id: condition, title },
      registries,
    );
    const roles = new Map(rolesOf(game.definition, game, state, registries).map(({ name, place: at }) => [name, at]));
    const { windowMs, leaveOutMs, queueLog, pcap } = plan.run;
    return {
      trial,
      condition: spec,
      times: { windowMs, settleMs: leaveOutMs, coolDownMs: 0, queueLog, pcap, externalLossRatio: null },
      places: spec.applications.map(({ name }) => plan.places.indexOf(roles.get(name) ?? name)),
    };
  }

  #runningOf(game: GameCase, id: string): number[] {
    return [...this.#running.values()]
      .filter(one => one.game === game.id && one.state === id)
      .map(({ round }) => round);
  }

  #nextRound({ game, id }: Place): number {
    const failed = this.#failed.get(conditionId(game, id)) ?? [];
    const taken = new Set([...this.#evidence.get(game.id)!.taken(id), ...this.#runningOf(game, id), ...failed]);
    let round = 1;
    while (taken.has(round)) round++;
    return round;
  }

  #result(game: GameCase): SearchResult {
    let result = this.#results.get(game.id);
    if (result === undefined) {
      const lost = new Set([...this.givenUp.keys()].flatMap(condition => stateOfCondition(game, condition) ?? []));
      this.#results.set(game.id, (result = searchOf(this.#options.plan, game, this.#evidence.get(game.id)!, lost)));
    }
    return result;
  }

  #placeOf(condition: string): Place | undefined {
    for (const game of this.#options.plan.cases) {
      const id = stateOfCondition(game, condition);
      const state = id === undefined ? undefined : stateNamed(game, id);
      if (id !== undefined && state !== undefined) return { game, state, id };
    }
    return undefined;
  }

  async #add(file: TrialFile): Promise<void> {
    const place = this.#placeOf(file.trial.condition);
    const evidence = this.#evidence.get(place?.game.id ?? '');
    if (place === undefined || evidence === undefined || evidence.taken(place.id).includes(file.trial.repeat))
      throw new CoexistError(
        'bad-run-folder',
        `the trial ${file.trial.id} does not belong to this game, or exists twice`,
        {
          hint: 'remove its folder, then continue with --resume',
        },
      );
    if (file.phases === null) return;
    const { plan, measure } = this.#options;
    const payoffs = await measure(file, place.game, place.state);
    addTrial(evidence, plan, { ...place, round: file.trial.repeat }, payoffs);
    this.#results.delete(place.game.id);
    this.#refuseMissing();
    const without = evidence.unmeasurable.get(place.id);
    if (without !== undefined) this.#options.onGivenUp?.(file.trial.condition, withoutPayoff(without, plan));
  }

  /** Throws if all of the first trials lack the payoff, since later trials would lack it too. */
  #refuseMissing(): void {
    const { plan } = this.#options;
    const all = [...this.#evidence.values()];
    if (all.some(({ trials }) => trials > 0)) return;
    const without = all.reduce((sum, evidence) => sum + evidence.without, 0);
    if (without < firstWithout) return;
    throw new CoexistError(
      'bad-definition',
      `payoff: none of the first ${without} trials has a ${inSentence(plan.payoff.title)} for every player`,
      { hint: 'choose another payoff: the applications do not have this one' },
    );
  }

  /** Leaves out a lost round; the next round of the state has another number. */
  #leaveOut({ trial: { condition, repeat } }: Planned): void {
    this.#failed.set(condition, (this.#failed.get(condition) ?? new Set()).add(repeat));
  }

  #drop(condition: string): void {
    for (const planned of this.#again.splice(0)) {
      if (planned.trial.condition === condition) this.#running.delete(planned.trial.id);
      else this.#again.push(planned);
    }
    this.#results.clear();
  }
}
