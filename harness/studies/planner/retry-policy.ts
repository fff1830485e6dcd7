/**
 * What becomes of a void try, in every kind of study. A study has further tries for all of its trials together, so that
 * one unlucky trial may take several of them and the time of the study stays within what was told before it began. A
 * trial of which a part failed is run again once. What another try would not change (`advice` of a finding) is not tried
 * again: its condition is given up at once. A condition whose tries are all void for the same reason is given up:
 * it is no chance. So is every condition that was tried once the whole study is like that, because the machine is to
 * blame then; those that were not tried yet get one try each, and so have something to show.
 */
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import { onlyHostDisturbed, voidReasons } from '../../../core/vocabulary/void-reasons.ts';
import type { Trial } from '../../definition/trial.ts';
import type { Verdict } from '../../record/trial-file.ts';

/** Fewer void tries for one reason may be chance, even where `run.retries` is less: 40 % each make 6 % of three. */
const fewestForNoChance = 3;
/** So many times those of a condition, and the study is void for one reason. */
const conditionsForStudy = 2;

type RetryRule = {
  /** The setting. */
  retries: number;
  /** All that may be run; null where results decide: then those count that were tried. */
  trials: number | null;
  /** Valid trials that a condition needs at most, where that is known. */
  repeats?: number;
};

/** `counts`: it is valid. `again`: the trial is run again. `lost`: it is not. */
type Fate = 'counts' | 'again' | 'lost';

/** Tries that are void, and the reasons that all of them have; null reasons once one is valid. */
type Streak = { tries: number; common: readonly string[] | null };

const begun = (): Streak => ({ tries: 0, common: [] });

function add(streak: Streak, verdict: Verdict): void {
  if (verdict.status !== 'invalid') streak.common = null;
  if (streak.common === null) return;
  const reasons = voidReasons(verdict);
  streak.common = streak.tries === 0 ? reasons : streak.common.filter(reason => reasons.includes(reason));
  streak.tries++;
}

/** The reason of all tries, where there are as many; undefined where one is valid or they differ. */
const reasonOf = ({ tries, common }: Streak, fewest: number) => (tries >= fewest ? common?.[0] : undefined);

export class RetryPolicy {
  readonly #rule: RetryRule;
  /** So many void tries of a condition for one reason are no chance. */
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

  /** Conditions that get no more tries, and why. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  /** Conditions of which another try would end the same way, and what helps. */
  get lasting(): ReadonlyMap<string, string> {
    return this.#lasting;
  }

  /** Takes the verdict on a try. Conditions may be given up by it (`givenUp`). */
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

  /** A part that fails twice in one trial fails always. */
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
