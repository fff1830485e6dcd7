/**
 * Decides if a void trial is run again, for every kind of study.
 *
 * All trials of a study share their further tries. An unlucky trial may use several of them, and the time of the study
 * stays within its announced limit. A trial of which a part failed is run again once. If another try would fail in the
 * same way (`advice` of a finding), its condition is given up at once. A condition whose tries are all void for the
 * same reason is given up, since this is not chance.
 *
 * If this holds for the whole study, the machine is the cause, and every condition that was tried once is given up.
 * Conditions that were not tried yet get one try each, so that they have a record.
 */
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import { onlyHostDisturbed, voidReasons } from '../../../core/vocabulary/void-reasons.ts';
import type { Trial } from '../../definition/trial.ts';
import type { Verdict } from '../../record/trial-file.ts';

/**
 * Fewer void tries for one reason may be chance, even if `run.retries` is less: with a probability of 40 % each, three
 * in a row have 6 %.
 */
const fewestForNoChance = 3;
/**
 * Factor between the void tries of a condition and those of the study after which the study counts as void for one
 * reason.
 */
const conditionsForStudy = 2;

type RetryRule = {
  /** The setting `run.retries`. */
  retries: number;
  /** Number of all planned trials. Null if it depends on results; then the trials tried so far count. */
  trials: number | null;
  /** Largest number of valid trials that a condition needs, if known. */
  repeats?: number;
};

/** `counts`: the trial is valid. `again`: the trial is run again. `lost`: the trial is not run again. */
type Fate = 'counts' | 'again' | 'lost';

/** Number of void tries, and the reasons common to all of them. `common` is null after a valid try. */
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
 * Returns the common reason of all tries if there are at least `fewest`. Undefined if a try was valid or the reasons
 * differ.
 */
const reasonOf = ({ tries, common }: Streak, fewest: number) => (tries >= fewest ? common?.[0] : undefined);

export class RetryPolicy {
  readonly #rule: RetryRule;
  /** Number of void tries of a condition for one reason from which it is not chance. */
  readonly #fewest: number;
  readonly #trials = new Set<string>();
  readonly #conditions = new Map<string, Streak>();
  readonly #study = begun();
  readonly #failures = new Map<string, number>();
  readonly #givenUp = new Map<string, string>();
  readonly #lasting = new Map<string, string>();
  #used = 0;

  constructor(rule: RetryRule) {
    this.#rule = rule;
    this.#fewest = Math.max(fewestForNoChance, rule.retries + 1, Math.ceil((rule.repeats ?? 0) / 2));
  }

  /** Conditions that get no more tries, with the reason. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  /** Conditions of which another try would fail in the same way, with advice. */
  get lasting(): ReadonlyMap<string, string> {
    return this.#lasting;
  }

  /** Takes the verdict on a try. It may give up conditions (`givenUp`). */
  take({ id, condition }: Pick<Trial, 'id' | 'condition'>, verdict: Verdict): Fate {
    this.#trials.add(id);
    const own = this.#conditions.get(condition) ?? begun();
    this.#conditions.set(condition, own);
    for (const streak of [own, this.#study]) add(streak, verdict);
    if (verdict.status !== 'invalid') return 'counts';
    this.#giveUpLasting(condition, verdict);
    this.#giveUpHopeless();
    if (this.#givenUp.has(condition) || !this.#mayFail(id, verdict) || this.#used >= this.#further()) return 'lost';
    this.#used++;
    return 'again';
  }

  #further(): number {
    return furtherTries(this.#rule.retries, this.#rule.trials ?? this.#trials.size);
  }

  /** Returns false after a part has failed twice in a trial, since it would fail always. */
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
    this.#givenUp.set(condition, `another try would end the same way (${lasting.message}); ${lasting.advice}`);
  }

  #giveUpHopeless(): void {
    const ofStudy = reasonOf(this.#study, conditionsForStudy * this.#fewest);
    for (const [condition, streak] of this.#conditions) {
      const reason = ofStudy ?? reasonOf(streak, this.#fewest);
      if (reason === undefined || this.#givenUp.has(condition)) continue;
      const { tries } = ofStudy === undefined ? streak : this.#study;
      const whose = ofStudy === undefined ? 'of its tries' : 'tries of the study';
      this.#givenUp.set(condition, `all ${tries} ${whose} were void for one reason: ${reason}`);
    }
  }
}
