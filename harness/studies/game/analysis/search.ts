/**
 * Chooses the states to measure next, and returns the answer so far. The search is a pure function of the evidence, so
 * the same results lead to the same trials.
 *
 * A few trials per state suffice to follow a path; many confirm the state at its end. A game of one group with two
 * strategies has an equilibrium (Cheng et al., 2004): first both extreme states are measured, then the zero of g(k) =
 * u_B(k+1) - u_A(k) is found by bisection. In other games, and as a check in these, the search follows best responses:
 * from a start it moves to the neighbour with the largest estimated gain, until no switch promises a gain. There it
 * adds trials until each switch is decided. The path is computed again after each trial, so a step taken by chance is
 * reverted when more trials contradict it. The search remembers visited states, because best responses can form a
 * cycle.
 */
import { type Certificate, certify, type JudgedDeviation } from './certificate.ts';
import type { Evidence } from './evidence.ts';
import { fewestTrials, type Judge } from './gain.ts';
import { allStates, countStates, type Game, type State, stateId, stateNamed } from './game.ts';
import type { Need } from './need.ts';
import { startsOf } from './starts.ts';

export type SearchOptions = Judge & {
  /** True: the search measures every state, or every state of `only`, and follows no path. */
  exhaustive: boolean;
  only?: readonly State[] | undefined;
  /** Ids of states that cannot be measured. */
  lost?: ReadonlySet<string>;
  /** True: no more trials are allowed, so undecided states stay undecided. */
  isOver?: boolean;
};

/**
 * Path of best responses from one starting state. `passed`: ids of all states from the start to the end, both included.
 */
export type Walk = {
  start: string;
  passed: string[];
  end: 'equilibrium' | 'cycle' | 'undecided';
  /** Certificate of the last state. For a path that ends in a cycle, certificates of all states of the cycle. */
  certificates: Certificate[];
};

export type Answer = {
  /**
   * Kind of the answer. `measured`: the requested states were measured, without a search. `none`: no state is an
   * equilibrium.
   */
  kind: 'equilibrium' | 'equilibria' | 'cycle' | 'none' | 'undecided' | 'measured';
  /** Ids of the equilibria, of the states of all cycles, or of the undecided states. */
  states: string[];
  /** Ids of the states of each cycle, in the order of the steps. A step from the last state leads back to the first. */
  cycles: string[][];
  walks: Walk[];
  /**
   * Number of trials of each state that would decide all undecided switches: the largest estimate of any of these
   * switches. Null if there is no estimate, or if every switch is decided.
   */
  trialsNeeded: number | null;
  /** Number of undecided switches without an estimate. */
  untold: number;
  /** Ids of states that were judged and are undecided. In a search these are states at the end of a path. */
  open: string[];
  /**
   * States that were judged. `every`: all states, so an equilibrium that is not listed can only be an undecided state.
   * `asked`: the requested states. `search`: the states that the search visited.
   */
  scope: 'every' | 'asked' | 'search';
};

export type SearchResult = { needs: Need[]; answer: null } | { needs: []; answer: Answer };

/** Number of trials of each state on a path, before the next step is chosen. */
const lookTrials = 2;
/** Number of standard errors by which an estimated gain must exceed the tolerance so that the search follows it. */
const promiseErrors = 1.5;
/**
 * Least gain, as a part of the tolerance, that an undecided switch must promise so that the search certifies the target
 * of the switch instead of the present state.
 */
const betterRatio = 0.3;
/**
 * Number of trials after which a state is given up, if the decision would probably take more than `futileFactor` times
 * the allowed number of trials.
 */
const futileTrials = 10;
const futileFactor = 3;

type Step = { needs: Need[] } | { walk: Walk };

class Search {
  readonly #game: Game;
  readonly #evidence: Evidence;
  readonly #options: SearchOptions;
  readonly #certificates = new Map<string, Certificate>();

  constructor(game: Game, evidence: Evidence, options: SearchOptions) {
    this.#game = game;
    this.#evidence = evidence;
    this.#options = options;
  }

  run(): SearchResult {
    return this.#options.exhaustive || this.#options.only !== undefined ? this.#everywhere() : this.#walks();
  }

  certificate(state: State): Certificate {
    const id = stateId(this.#game, state);
    let certificate = this.#certificates.get(id);
    if (certificate === undefined)
      this.#certificates.set(id, (certificate = certify(this.#game, state, this.#evidence, this.#options)));
    return certificate;
  }

  #isLost(id: string): boolean {
    return this.#options.lost?.has(id) === true;
  }

  /** Requests a total of `trials` trials for each of the states that has fewer. */
  #upTo(trials: number, states: readonly State[]): Need[] {
    if (this.#options.isOver === true) return [];
    const seen = new Map(states.map(state => [stateId(this.#game, state), state]));
    return [...seen]
      .filter(([id]) => this.#evidence.count(id) < trials && !this.#isLost(id))
      .map(([id, state]) => ({ state, id, trials }));
  }

  #walks(): SearchResult {
    const starts = startsOf(this.#game, this.#evidence, {
      missing: states => this.#upTo(lookTrials, states),
      isLost: id => this.#isLost(id) && this.#evidence.count(id) === 0,
    });
    if ('needs' in starts) return { needs: starts.needs, answer: null };
    const walks: Walk[] = [];
    for (const start of starts.states) {
      const step = this.#walk(start);
      if ('needs' in step) return { needs: step.needs, answer: null };
      walks.push(step.walk);
    }
    return { needs: [], answer: this.#answer(walks, 'search') };
  }

  #walk(start: State): Step {
    const passed: State[] = [start];
    const ids = () => passed.map(state => stateId(this.#game, state));
    for (;;) {
      const state = passed.at(-1)!;
      const id = stateId(this.#game, state);
      const certificate = this.certificate(state);
      if (certificate.verdict === 'equilibrium')
        return { walk: { start: ids()[0]!, passed: ids(), end: 'equilibrium', certificates: [certificate] } };
      const looks = this.#upTo(lookTrials, [state, ...certificate.deviations.map(({ target }) => target)]);
      if (looks.length > 0) return { needs: looks };
      const best = this.#bestOf(certificate);
      if (best === undefined) {
        const better = this.#betterThan(certificate);
        if (better !== undefined && !passed.some(other => stateId(this.#game, other) === better.targetId)) {
          passed.push(better.target);
          continue;
        }
        const needs = this.#toDecide(
          certificate,
          certificate.deviations.filter(({ verdict }) => verdict === 'open'),
        );
        return needs.length > 0
          ? { needs }
          : { walk: { start: ids()[0]!, passed: ids(), end: 'undecided', certificates: [certificate] } };
      }
      const before = passed.findIndex(other => stateId(this.#game, other) === best.targetId);
      if (before >= 0) return this.#cycle(ids(), passed.slice(before));
      passed.push(best.target);
      if (id === best.targetId) throw new Error(`state ${id} leads to itself`);
    }
  }

  /**
   * Returns the switch with the largest gain, among those that pay or promise more than the tolerance. Undefined if no
   * switch does.
   */
  #bestOf({ deviations }: Certificate): JudgedDeviation | undefined {
    return largest(
      deviations.filter(one => one.verdict === 'profitable' || this.#promises(one, this.#options.tolerance)),
    );
  }

  /**
   * Returns the best undecided switch that promises a gain, even one below the tolerance. The target of this switch is
   * easier to certify, since the switch back loses payoff.
   */
  #betterThan({ deviations }: Certificate): JudgedDeviation | undefined {
    return largest(deviations.filter(one => this.#promises(one, this.#options.tolerance * betterRatio)));
  }

  #promises({ verdict, gain: { estimate, error } }: JudgedDeviation, least: number): boolean {
    return verdict === 'open' && estimate !== null && estimate - least > promiseErrors * (error ?? Infinity);
  }

  /** Judges a cycle. A cycle is confirmed if each step is shown to pay. */
  #cycle(ids: string[], states: readonly State[]): Step {
    const certificates = states.map(state => this.certificate(state));
    const walk = (end: Walk['end']): Step => ({ walk: { start: ids[0]!, passed: ids, end, certificates } });
    const weak = certificates.find(certificate => this.#bestOf(certificate) === undefined);
    if (weak !== undefined) {
      const toDecide = this.#toDecide(
        weak,
        weak.deviations.filter(({ verdict }) => verdict === 'open'),
      );
      return toDecide.length > 0 ? { needs: toDecide } : walk('undecided');
    }
    const steps = certificates.map(certificate => ({ certificate, best: this.#bestOf(certificate)! }));
    const unsure = steps.filter(({ best }) => best.verdict !== 'profitable');
    if (unsure.length === 0) return walk('cycle');
    const needs = unsure.flatMap(({ certificate, best }) => this.#toDecide(certificate, [best]));
    return needs.length > 0 ? { needs } : walk('undecided');
  }

  /**
   * Requests one more trial for the state or targets of the `open` switches that have the fewest trials. Empty if no
   * trials are allowed, or if the allowed trials would not suffice.
   */
  #toDecide({ state, id }: Certificate, open: readonly JudgedDeviation[]): Need[] {
    const { most, tolerance } = this.#options;
    const own = this.#evidence.count(id);
    const decidable = open.filter(({ targetId, trialsNeeded }) => {
      const least = Math.min(own, this.#evidence.count(targetId));
      return (
        !this.#isLost(targetId) &&
        !this.#isLost(id) &&
        least < most &&
        !(least >= futileTrials && (trialsNeeded ?? 0) > futileFactor * most)
      );
    });
    // A switch that cannot be decided prevents an equilibrium. Then only switches that may pay are useful, since they
    // can refute the state.
    const useful =
      decidable.length === open.length ? decidable : decidable.filter(({ gain }) => gain.estimate! > tolerance);
    if (useful.length === 0) return [];
    const wanted = [state, ...useful.map(({ target }) => target)].filter(
      one => this.#evidence.count(stateId(this.#game, one)) < most,
    );
    const fewest = Math.min(...wanted.map(one => this.#evidence.count(stateId(this.#game, one))));
    return this.#upTo(fewest + 1, wanted);
  }

  /** Requests trials of every state, or of the requested states, until all switches out of them are decided. */
  #everywhere(): SearchResult {
    const { only, most } = this.#options;
    const states = only ?? allStates(this.#game);
    const looks = this.#upTo(Math.min(fewestTrials, most), states);
    if (looks.length > 0) return { needs: looks, answer: null };
    if (only !== undefined) {
      const missing = this.#upTo(most, states);
      if (missing.length > 0) return { needs: missing, answer: null };
    }
    const certificates = states.map(state => this.certificate(state));
    const needs =
      only !== undefined
        ? []
        : certificates
            .filter(({ verdict }) => verdict === 'open')
            .flatMap(certificate =>
              this.#toDecide(
                certificate,
                certificate.deviations.filter(({ verdict }) => verdict === 'open'),
              ),
            );
    if (needs.length > 0) return { needs, answer: null };
    const walks = certificates.map(
      (certificate): Walk => ({
        start: certificate.id,
        passed: [certificate.id],
        end: certificate.verdict === 'equilibrium' ? 'equilibrium' : 'undecided',
        certificates: [certificate],
      }),
    );
    const equilibria = certificates.filter(({ verdict }) => verdict === 'equilibrium');
    const open = certificates.flatMap(({ verdict, id }) => (verdict === 'open' ? [id] : []));
    const scope = states.length === countStates(this.#game) ? 'every' : 'asked';
    const nothing: Omit<Answer, 'kind' | 'states'> = {
      cycles: [],
      walks: [],
      trialsNeeded: null,
      untold: 0,
      open,
      scope,
    };
    const measured = certificates.flatMap(({ id }) => (this.#evidence.count(id) > 0 ? [id] : []));
    if (only !== undefined && equilibria.length === 0)
      return { needs: [], answer: { kind: 'measured', states: measured, ...nothing } };
    if (equilibria.length === 0 && open.length === 0)
      return { needs: [], answer: { kind: 'none', states: [], ...nothing } };
    return {
      needs: [],
      answer: this.#answer(
        walks.filter(({ certificates: [one] }) => one!.verdict !== 'refuted'),
        scope,
      ),
    };
  }

  #answer(walks: Walk[], scope: Answer['scope']): Answer {
    const of = (end: Walk['end']) => walks.filter(walk => walk.end === end).flatMap(({ certificates }) => certificates);
    const ids = (certificates: readonly Certificate[]) => [...new Set(certificates.map(({ id }) => id))];
    const equilibria = ids([...of('equilibrium'), ...this.#besideWalks()]).sort();
    const cycles = distinct(
      walks.filter(({ end }) => end === 'cycle').map(({ certificates }) => certificates.map(({ id }) => id)),
    );
    // Some states of an unconfirmed cycle may be refuted.
    const undecided = [...new Set(of('undecided'))].filter(({ verdict }) => verdict === 'open');
    const needed = undecided.flatMap(({ deviations }) =>
      deviations.filter(({ verdict }) => verdict === 'open').map(({ trialsNeeded }) => trialsNeeded ?? Infinity),
    );
    const told = needed.filter(Number.isFinite);
    const open = ids(undecided).filter(id => !equilibria.includes(id));
    const rest = {
      cycles,
      walks,
      trialsNeeded: told.length === 0 ? null : Math.max(...told),
      untold: needed.length - told.length,
      open,
      scope,
    };
    if (equilibria.length > 0)
      return { kind: equilibria.length === 1 ? 'equilibrium' : 'equilibria', states: equilibria, ...rest };
    if (cycles.length > 0) return { kind: 'cycle', states: [...new Set(cycles.flat())], ...rest };
    return { kind: 'undecided', states: open, ...rest };
  }

  /** Returns the certified equilibria among all measured states, including those at which no path ended. */
  #besideWalks(): Certificate[] {
    return this.#evidence.states
      .map(id => this.certificate(stateNamed(this.#game, id)!))
      .filter(({ verdict }) => verdict === 'equilibrium');
  }
}

/** Returns the cycles, each set of states once. */
function distinct(cycles: readonly string[][]): string[][] {
  return [...new Map(cycles.map(cycle => [[...cycle].sort().join(' '), cycle])).values()];
}

function largest(deviations: readonly JudgedDeviation[]): JudgedDeviation | undefined {
  return deviations.reduce<JudgedDeviation | undefined>(
    (best, one) => (best === undefined || one.gain.estimate! > best.gain.estimate! ? one : best),
    undefined,
  );
}

export function search(game: Game, evidence: Evidence, options: SearchOptions): SearchResult {
  return new Search(game, evidence, options).run();
}
