/**
 * The planner of a game study: the search of each game asks for the trials that decide it. The same results always lead
 * to the same next trial, so a study that was killed continues as if it had not been interrupted.
 */
import { CoexistError } from '../../core/errors.ts';
import { deriveSeed } from '../../core/random.ts';
import { mostRetries } from '../planner/planner.ts';
import type { Planned, Planner } from '../planner/planner.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { Evidence } from './analysis/evidence.ts';
import type { Payoffs } from './analysis/evidence.ts';
import { stateNamed } from './analysis/game.ts';
import type { State } from './analysis/game.ts';
import { search } from './analysis/search.ts';
import type { Answer, SearchResult } from './analysis/search.ts';
import { hasPayoff } from './measure.ts';
import { conditionId, stateOfCondition } from './plan.ts';
import type { GameCase, GamePlan } from './plan.ts';
import { conditionOfState, rolesOf } from './players.ts';
import type { GameRegistries } from './players.ts';

export type MeasurePayoffs = (file: TrialFile, game: GameCase, state: State) => Promise<Payoffs>;

type SearchPlannerOptions = {
  plan: GamePlan;
  registries: GameRegistries;
  /** Of a valid trial that lies in its folder. */
  measure: MeasurePayoffs;
  /** Told of states that cannot be measured. */
  onGivenUp?: (condition: string, reason: string) => void;
};

type Place = { game: GameCase; state: State; id: string };

/** What the search of a game makes of the evidence; without more trials where it has had all that it may. */
export function searchOf(
  plan: Pick<GamePlan, 'confidence' | 'exhaustive' | 'run'>,
  game: GameCase,
  evidence: Evidence,
  lost: ReadonlySet<string>,
): SearchResult {
  const options = {
    tolerance: game.tolerance,
    confidence: plan.confidence,
    most: plan.run.most,
    exhaustive: plan.exhaustive,
    only: game.only ?? undefined,
    lost,
  };
  return search(game, evidence, { ...options, isOver: evidence.trials >= plan.run.trials });
}

/** The sign of a payoff of which less is better is inverted, so that more is always better. */
export function oriented({ payoff: { better } }: Pick<GamePlan, 'payoff'>, payoffs: Payoffs): Payoffs {
  return better === 'higher'
    ? payoffs
    : payoffs.map(strategies => strategies.map(value => (value === null ? null : -value)));
}

export class SearchPlanner implements Planner {
  readonly study: string;
  readonly places: number;
  readonly #options: SearchPlannerOptions;
  readonly #evidence: Map<string, Evidence>;
  /** Trials that run, with their tries. */
  readonly #running = new Map<string, number>();
  readonly #givenUp = new Map<string, string>();
  readonly #results = new Map<string, SearchResult>();

  private constructor(options: SearchPlannerOptions) {
    this.study = options.plan.study;
    this.places = options.plan.places.length;
    this.#options = options;
    this.#evidence = new Map(options.plan.cases.map(({ id }) => [id, new Evidence()]));
  }

  /** `done`: valid trials that there are already. */
  static async open(options: SearchPlannerOptions, done: Iterable<TrialFile>): Promise<SearchPlanner> {
    const planner = new SearchPlanner(options);
    for (const file of done) await planner.#add(file);
    return planner;
  }

  /** States that cannot be measured, and why, by condition. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  get left(): number {
    return this.#options.plan.cases.reduce((sum, game) => sum + this.#result(game).needs.length, 0);
  }

  /** Where each game stands: null while it is open. */
  answers(): { game: GameCase; answer: Answer | null; trials: number }[] {
    return this.#options.plan.cases.map(game => ({
      game,
      answer: this.#result(game).answer,
      trials: this.#evidence.get(game.id)!.trials,
    }));
  }

  next(): Planned | undefined {
    for (const game of this.#options.plan.cases) {
      const evidence = this.#evidence.get(game.id)!;
      const has = (id: string) => evidence.count(id) + this.#runningOf(game, id).length;
      const needs = this.#result(game).needs.filter(({ id, trials }) => has(id) < trials);
      const fewest = Math.min(...needs.map(({ id }) => has(id)));
      const need = needs.find(({ id }) => has(id) === fewest);
      if (need !== undefined) return this.#planned({ game, state: need.state, id: need.id });
    }
    return undefined;
  }

  async take({ trial }: Planned, file: TrialFile): Promise<boolean> {
    const tries = this.#running.get(trial.id) ?? 1;
    if (file.verdict.status === 'invalid' && tries <= mostRetries(file, this.#options.plan.run.retries)) {
      this.#running.set(trial.id, tries + 1);
      return true;
    }
    if (file.verdict.status === 'invalid')
      this.#giveUp(
        trial.condition,
        file.verdict.findings
          .filter(({ status }) => status === 'invalid')
          .map(({ message }) => message)
          .join('; '),
      );
    else await this.#add(file);
    this.#running.delete(trial.id);
    return false;
  }

  refuse({ trial }: Planned, reason: string): boolean {
    this.#running.delete(trial.id);
    this.#giveUp(trial.condition, reason);
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
    this.#running.set(trial.id, 1);
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
    const prefix = `${conditionId(game, id)}-`;
    return [...this.#running.keys()]
      .filter(trial => trial.startsWith(prefix) && /^\d{3,}$/.test(trial.slice(prefix.length)))
      .map(trial => Number(trial.slice(prefix.length)));
  }

  #nextRound({ game, id }: Place): number {
    const taken = new Set([...this.#evidence.get(game.id)!.rounds(id), ...this.#runningOf(game, id)]);
    let round = 1;
    while (taken.has(round)) round++;
    return round;
  }

  #result(game: GameCase): SearchResult {
    let result = this.#results.get(game.id);
    if (result === undefined) {
      const lost = new Set([...this.#givenUp.keys()].flatMap(condition => stateOfCondition(game, condition) ?? []));
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
    if (place === undefined || file.phases === null) return;
    const { plan, measure } = this.#options;
    const payoffs = await measure(file, place.game, place.state);
    if (!hasPayoff(payoffs)) {
      throw new CoexistError(
        'bad-definition',
        `payoff: no player of ${file.trial.id} has a ${plan.payoff.title.toLowerCase()}`,
        { hint: 'choose another payoff: no application has this one' },
      );
    }
    this.#evidence.get(place.game.id)!.add(place.id, file.trial.repeat, oriented(plan, payoffs));
    this.#results.delete(place.game.id);
  }

  #giveUp(condition: string, reason: string): void {
    this.#givenUp.set(condition, reason);
    this.#results.clear();
    this.#options.onGivenUp?.(condition, reason);
  }
}
