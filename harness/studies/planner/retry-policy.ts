/**
 * Decides if a void trial is run again, and when a condition is given up, for every kind of study.
 *
 * All trials of a study share a limited number of further tries. One unlucky trial may use several of them, and the
 * study stays within its announced time. A trial in which some part failed is run again only once. If another try would
 * fail in the same way (a finding with `advice`), the condition is given up at once. A condition is also given up if
 * several tries are all void for the same reason, since this is not chance, and, where the kind of study says so, if
 * several of its trials in a row are lost.
 *
 * If all tries of the whole study are void for the same reason, the machine is the cause. Then every condition with at
 * least one try is given up. Conditions without a try still get one, so that they have a record.
 */
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import { onlyHostDisturbed, voidReasons, voidWords } from '../../../core/vocabulary/void-reasons.ts';
import type { Trial } from '../../definition/trial.ts';
import type { Verdict } from '../../record/trial-file.ts';

/**
 * Least number of void tries for the same reason that is not taken for chance, even if `run.retries` is smaller. If
 * each try is void with a probability of 40 %, three in a row have 6 %.
 */
const fewestForNoChance = 3;
/**
 * The study is given up after `conditionsForStudy` x N void tries for the same reason, if a single condition is given
 * up after N such tries.
 */
const conditionsForStudy = 2;

type RetryRule = {
  /** Value of the setting `run.retries`. */
  retries: number;
  /**
   * Number of all planned trials. Null if this number depends on results; then the number of trials tried so far is
   * used.
   */
  trials: number | null;
  /** Largest number of valid trials that a condition needs. Missing if unknown. */
  repeats?: number;
  /**
   * Number of lost trials in a row after which their condition is given up. Missing if the other trials of the condition
   * are run whatever happened to these.
   */
  lostInRow?: number;
  /** Returns the conditions that are given up together with this one, and the reason for each. */
  alsoGivenUp?(condition: string, reason: string): GivenUp[];
};

/** A condition that gets no more tries, and the reason. */
type GivenUp = { condition: string; reason: string };

/**
 * Fate of a trial. `counts`: the trial is valid. `again`: the trial is run again. `lost`: the trial gets no further
 * try.
 */
type Fate = 'counts' | 'again' | 'lost';

/** Number of void tries, and the reasons that all of them share. `common` is null after a valid try. */
type Streak = { tries: number; common: readonly string[] | null };

const begun = (): Streak => ({ tries: 0, common: [] });

function add(streak: Streak, verdict: Verdict): void {
  if (verdict.status !== 'invalid') streak.common = null;
  if (streak.common === null) return;
  const reasons = voidReasons(verdict);
  streak.common = streak.tries === 0 ? reasons : streak.common.filter(reason => reasons.includes(reason));
  streak.tries++;
}

/**
 * Returns a reason that all tries share, if there are at least `fewest` tries. Undefined if any try was valid, or if
 * the tries share no reason.
 */
const reasonOf = ({ tries, common }: Streak, fewest: number) => (tries >= fewest ? common?.[0] : undefined);

export class RetryPolicy {
  readonly #rule: RetryRule;
  /** Number of void tries for the same reason after which a condition is given up. */
  readonly #fewest: number;
  readonly #trials = new Set<string>();
  readonly #conditions = new Map<string, Streak>();
  readonly #study = begun();
  readonly #failures = new Map<string, number>();
  readonly #lostInRow = new Map<string, number>();
  readonly #onGivenUp: (condition: string, reason: string) => void;
  readonly #givenUp = new Map<string, string>();
  readonly #lasting = new Map<string, string>();
  #used = 0;

  /** `onGivenUp`: called once for each condition that is given up. */
  constructor(rule: RetryRule, onGivenUp: (condition: string, reason: string) => void = () => {}) {
    this.#rule = rule;
    this.#onGivenUp = onGivenUp;
    this.#fewest = Math.max(fewestForNoChance, rule.retries + 1, Math.ceil((rule.repeats ?? 0) / 2));
  }

  /** Reason why each given-up condition gets no more tries, by condition. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  /** Advice for conditions in which another try would fail in the same way, by condition. */
  get lasting(): ReadonlyMap<string, string> {
    return this.#lasting;
  }

  /** Processes the verdict on a try and returns the fate of the trial. May give up conditions (`givenUp`). */
  take({ id, condition }: Pick<Trial, 'id' | 'condition'>, verdict: Verdict): Fate {
    this.#trials.add(id);
    const own = this.#conditions.get(condition) ?? begun();
    this.#conditions.set(condition, own);
    for (const streak of [own, this.#study]) add(streak, verdict);
    if (verdict.status !== 'invalid') {
      this.#lostInRow.delete(condition);
      return 'counts';
    }
    this.#giveUpLasting(condition, verdict);
    this.#giveUpHopeless();
    if (this.#givenUp.has(condition) || !this.#mayFail(id, verdict) || this.#used >= this.#further()) {
      this.lose(condition, voidWords(verdict));
      return 'lost';
    }
    this.#used++;
    return 'again';
  }

  /** Counts a lost trial of a condition, also one that could not begin. May give up the condition. */
  lose(condition: string, reason: string): void {
    const inRow = (this.#lostInRow.get(condition) ?? 0) + 1;
    this.#lostInRow.set(condition, inRow);
    if (inRow >= (this.#rule.lostInRow ?? Infinity)) this.#giveUp(condition, reason);
  }

  #giveUp(condition: string, reason: string): void {
    if (this.#givenUp.has(condition)) return;
    this.#givenUp.set(condition, reason);
    this.#onGivenUp(condition, reason);
    for (const also of this.#rule.alsoGivenUp?.(condition, reason) ?? []) this.#giveUp(also.condition, also.reason);
  }

  #further(): number {
    return furtherTries(this.#rule.retries, this.#rule.trials ?? this.#trials.size);
  }

  /** Returns false if a part has failed in two tries of this trial, since it would probably fail again. */
  #mayFail(id: string, verdict: Verdict): boolean {
    if (onlyHostDisturbed(verdict)) return true;
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    return failures <= 1;
  }

  #giveUpLasting(condition: string, { findings }: Verdict): void {
    const lasting = findings.find(({ status, advice }) => status === 'invalid' && advice !== undefined);
    if (lasting === undefined) return;
    this.#lasting.set(condition, lasting.advice!);
    this.#giveUp(condition, `another try would end the same way (${lasting.message}); ${lasting.advice}`);
  }

  #giveUpHopeless(): void {
    const ofStudy = reasonOf(this.#study, conditionsForStudy * this.#fewest);
    for (const [condition, streak] of this.#conditions) {
      const reason = ofStudy ?? reasonOf(streak, this.#fewest);
      if (reason === undefined || this.#givenUp.has(condition)) continue;
      const { tries } = ofStudy === undefined ? streak : this.#study;
      const whose = ofStudy === undefined ? 'of its tries' : 'tries of the study';
      this.#giveUp(condition, `all ${tries} ${whose} were void for one reason: ${reason}`);
    }
  }
}
