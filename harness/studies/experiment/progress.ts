/** Progress of a running experiment. On a terminal one line is updated; other outputs get plain lines. */
import { counted, timesWords } from '../../../core/text/counted.ts';
import { formatDuration, formatRate } from '../../../core/text/units.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import { conditionOf, type Plan } from '../../definition/plan.ts';
import type { Trial } from '../../definition/trial.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { LiveTrial } from '../../trial/live-trial.ts';
import type { Progress } from '../../trial/study.ts';
import { formatEstimate } from '../estimate-words.ts';
import { Lines } from '../lines.ts';
import { overheadMs, preflightMs } from '../planner/durations.ts';
import type { Planned } from '../planner/planner.ts';

/**
 * Measured milliseconds before the first trial of a study: creating namespaces, decoding the clip, and testing the
 * encoder.
 */
export const preparationMs = 8000;

const linkKey = ({ link }: Pick<Plan['conditions'][number], 'link'>) => JSON.stringify(link);

/**
 * Returns the links that the preflight tests, by key. The preflight of a link runs before the first trial on this link.
 * Empty if the preflight is switched off.
 */
function linksToProve({ run, conditions }: Plan): Map<string, Link> {
  return new Map(run.preflight ? conditions.map(condition => [linkKey(condition), condition.link]) : []);
}

/**
 * Estimates the milliseconds that `trials` trials and the preflights of `links` take. With `atStart` the estimate
 * includes the preparation, and `links` are by default all links of the plan.
 */
export function estimateMs(
  plan: Plan,
  trials: number,
  {
    atStart = false,
    links = atStart ? [...linksToProve(plan).values()] : [],
  }: { atStart?: boolean; links?: readonly Link[] } = {},
): number {
  const { windowMs, startUpMs, floodLeadMs, parallel } = plan.run;
  return (
    Math.ceil(trials / parallel) * (windowMs + startUpMs + floodLeadMs + overheadMs) +
    (atStart ? preparationMs : 0) +
    links.reduce((sum, link) => sum + preflightMs(link), 0)
  );
}

/**
 * Returns the announcement of a study: "8 trials, about 5 min; up to 5 further tries if trials are void, at most about
 * 8 min". `trials` still have to run; `ofAll` is the number of all trials of the plan.
 */
export function lengthWords(plan: Plan, trials: number, ofAll = trials): string {
  const most = furtherTries(plan.run.retries, trials);
  const count = ofAll === trials ? counted(trials, 'trial') : `${trials} of ${counted(ofAll, 'trial')} to run`;
  const about = `${count}, about ${formatEstimate(estimateMs(plan, trials, { atStart: true }))}`;
  if (most === 0 || trials === 0) return about;
  const longest = formatEstimate(estimateMs(plan, trials + most, { atStart: true }));
  return `${about}; up to ${most} further tries if trials are void, at most about ${longest}`;
}

/**
 * Describes the last second of a trial: "59.9 fps, 6.1 Mbit/s beside 33.2 Mbit/s, RTT 84.2 ms, 2 stalls (0.6 s)". For a
 * subject without frames only rates and RTT are given. For a voice: "voice broke off 3 times (1.2 s)".
 */
function describeLive({
  framesPerSecond,
  goodputBps,
  othersBps,
  rttMs,
  stalls,
  interruptions,
}: Pick<LiveTrial, 'framesPerSecond' | 'goodputBps' | 'othersBps' | 'rttMs' | 'stalls' | 'interruptions'>): string {
  const rates = `${formatRate(goodputBps ?? 0)}${othersBps === null ? '' : ` beside ${formatRate(othersBps)}`}`;
  const network = `${rates}, ${rttMs === null ? 'no RTT' : `RTT ${formatDuration(rttMs)}`}`;
  const voice = interruptions === null ? '' : `, ${voiceWords(interruptions)}`;
  if (framesPerSecond === null) return `${network}${voice}`;
  const stalled =
    stalls.count === 0 ? 'no stall' : `${counted(stalls.count, 'stall')} (${formatDuration(stalls.totalMs)})`;
  return `${framesPerSecond.toFixed(1)} fps, ${network}, ${stalled}${voice}`;
}

const voiceWords = ({ count, totalMs }: NonNullable<LiveTrial['interruptions']>) =>
  count === 0 ? 'voice whole' : `voice broke off ${timesWords(count)} (${formatDuration(totalMs)})`;

export class ProgressPrinter implements Progress {
  readonly #plan: Plan;
  readonly #lines: Lines;
  /** Last live line of each running trial, by number of the trial. `#plainMs`: time of the last plain line of each. */
  readonly #liveLines = new Map<number, string>();
  readonly #plainMs = new Map<number, number>();
  /**
   * Number of trials without a result when each running trial started, including this trial. By number of the trial.
   */
  readonly #left = new Map<number, number>();
  /** Links whose preflight has not run yet. `#isPrepared`: true when the preparation of the study is over. */
  readonly #unproved: Map<string, Link>;
  #isPrepared = false;

  /** `out`: stream for the lines; stderr if stdout carries JSON. */
  constructor(plan: Plan, out: NodeJS.WriteStream) {
    this.#plan = plan;
    this.#unproved = linksToProve(plan);
    this.#lines = new Lines(out);
  }

  onTrialStart({ trial, condition }: Pick<Planned, 'trial' | 'condition'>, attempt: number, left: number): void {
    const again = attempt === 1 ? '' : `, try ${attempt}`;
    this.#lines.sayForNow(
      `${this.#position(trial)}  ${condition.title}, repeat ${trial.repeat}${again}  (about ` +
        `${formatEstimate(this.#estimateMs(left))} left)`,
    );
    this.#plainMs.set(trial.number, 0);
    this.#left.set(trial.number, left);
  }

  onPreflight({ trial }: Pick<Planned, 'trial'>): void {
    this.#lines.sayForNow(`${this.#position(trial)}  testing the link`);
  }

  onLive({ trial }: Pick<Planned, 'trial'>, live: Omit<LiveTrial, 'byApplication'>): void {
    const { elapsedMs } = live;
    this.#isPrepared = true;
    this.#unproved.delete(linkKey(conditionOf(this.#plan, trial.condition)));
    const values = `${describeLive(live)}, about ${formatEstimate(this.#leftMs(trial, elapsedMs))} left`;
    const position = `${(elapsedMs / 1000).toFixed(0)} of ${(this.#plan.run.windowMs / 1000).toFixed(0)} s`;
    if (this.#lines.isLive) {
      const width = 12;
      const bar = '#'.repeat(Math.round(Math.min(1, elapsedMs / this.#plan.run.windowMs) * width)).padEnd(width, '-');
      this.#liveLines.set(trial.number, `${this.#position(trial)}  [${bar}] ${position}  ${values}`);
      this.#lines.sayForNow([...this.#liveLines.values()].join('   '));
    } else if (elapsedMs - (this.#plainMs.get(trial.number) ?? 0) >= 10_000) {
      this.#plainMs.set(trial.number, elapsedMs);
      this.#lines.say(`${this.#position(trial)}  ${position}, ${values}`);
    }
  }

  onTrialEnd(file: TrialFile, willRetry: boolean): void {
    this.#liveLines.delete(file.trial.number);
    this.#lines.sayResult(this.#position(file.trial), file.verdict, { willRetry });
  }

  say(text: string): void {
    this.#lines.say(text);
  }

  #leftMs(trial: Trial, elapsedMs: number): number {
    const { windowMs, startUpMs, floodLeadMs } = this.#plan.run;
    const passedMs = Math.min(elapsedMs, windowMs) + startUpMs + floodLeadMs;
    return Math.max(0, this.#estimateMs(this.#left.get(trial.number) ?? 1) - passedMs);
  }

  #estimateMs(trials: number): number {
    return estimateMs(this.#plan, trials, { atStart: !this.#isPrepared, links: [...this.#unproved.values()] });
  }

  #position(trial: Trial): string {
    return `[${trial.number}/${this.#plan.trials.length}]`;
  }
}
