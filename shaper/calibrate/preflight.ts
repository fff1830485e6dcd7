/**
 * Preflight: proves with real packets, on the hosts of the trial, that a link is as requested. Takes about ten seconds.
 *
 *   delay          200 idle probes on every path
 *   serialisation  single packets of 1500, 600 and 100 bytes, trains of 2, 3 and 10: each packet is serialised
 *   trains         20 trains of 20 full packets after 100 ms of idle
 *   overload       1.15 times the rate, random loss off: rate, full queue, conservation; time of CoDel's first drop,
 *                  and PIE's share of drops
 *   discipline     DualPI2: drops of classic packets and marks of L4S packets at the same time
 *   loss           random loss on: exactly the packets that the seed predicts
 *   trace          the link's trace on, if it follows one: departures, rates, pauses and losses against the trace
 *
 * During each step the wake-ups of the machine are measured. A failed step is repeated, and the best result counts,
 * because a machine can spoil a measurement but never improve one. Delay, rate and trains are measured so that no
 * discipline acts on them (quiet.ts). Afterwards the link must be set again, because queues and generators have been
 * used.
 */
import { median } from '../../core/stats/quantile.ts';
import { couplingPlan, couplingReadings } from './coupling.ts';
import { delayReadings, oneWayMs } from './delay.ts';
import { type Exchange, probeExchange } from './exchange.ts';
import { disturbance, inLightOf, judge, type PreflightVerdict } from './judge.ts';
import { KeepAwake } from './keep-awake.ts';
import type { PreflightBed, PreflightLink } from './link.ts';
import { lossReadings } from './loss.ts';
import { overloadReadings } from './overload.ts';
import { slotMs } from './packets.ts';
import { idlePlan, lossPlan, overloadPlan, serialisationPlan, trainPlan } from './plan.ts';
import { monotonicMs, type WakeUpReport } from './probe.ts';
import { gravest, inDirection, isGraver, type Reading, type ReadingVerdict, type StepName, told } from './readings.ts';
import { serialisationReadings } from './serialisation.ts';
import {
  type Observed,
  observeCoupling,
  observeDelay,
  observeLoss,
  observeOverload,
  observeSerialisation,
  observeTrace,
  observeTrains,
  type Probing,
  triedPath,
} from './steps.ts';
import { tracePlan, traceReadings } from './trace.ts';
import { trainReadings } from './trains.ts';

type PreflightAttempt = {
  step: StepName;
  attempt: number;
  verdict: ReadingVerdict;
  /** Cause outside the link that may have spoilt the attempt; null if none was detected. */
  disturbance: string | null;
  durationMs: number;
  /** Wake-ups of the machine during the attempt, with the number of late ones; null if nothing was sent. */
  wakeUps: (Omit<WakeUpReport, 'lateWakeUps'> & { lateWakeUps: number }) | null;
};

export type PreflightResult = PreflightVerdict & {
  readings: Reading[];
  attempts: PreflightAttempt[];
  durationMs: number;
};

type PreflightOptions = {
  /** Number of attempts at a step that fails; 2 by default. */
  attempts?: number;
  /** Steps to run; all steps by default, or those that measure a link of which nothing was asked. */
  steps?: readonly StepName[];
  signal?: AbortSignal;
  /** Sender of the probes; the native probe by default, replaced in tests. */
  exchange?: Exchange;
};

/**
 * Readings of a step, with the reports of its senders and of the wake-ups (`observed`). `observed` is null if nothing
 * was sent.
 */
type StepResult = { readings: Reading[]; observed: Pick<Observed<unknown>, 'senders' | 'wakeUps'> | null };

/** Steps that measure a link of which nothing was asked. */
const toldSteps: readonly StepName[] = ['delay', 'overload'];
const allSteps: readonly StepName[] = ['delay', 'serialisation', 'trains', 'overload', 'discipline', 'loss', 'trace'];

/** Merges the results of several links, such as the two directions of one link, into one result. */
export function together(results: readonly PreflightResult[]): PreflightResult {
  const readings = results.flatMap(result => result.readings);
  return {
    ...judge(readings),
    readings,
    attempts: results.flatMap(({ attempts }) => attempts),
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

class Preflight {
  readonly #link: PreflightLink;
  readonly #probing: Probing;
  /**
   * Delay of the idle path that is overloaded, without the probe's serialisation time, ms. Before the first
   * measurement, the value is the requested delay.
   */
  #baseMs: number;

  constructor(link: PreflightLink, probing: Probing) {
    this.#link = link;
    this.#probing = probing;
    this.#baseMs = triedPath(link).delayMs;
  }

  readonly #steps: Readonly<Record<StepName, () => Promise<StepResult>>> = {
    delay: async () => {
      const plan = idlePlan(this.#link);
      const observed = await observeDelay(this.#link, this.#probing, plan);
      const probes = observed.seen.find(({ path }) => path === triedPath(this.#link))!.arrivals;
      const ownMs = this.#link.bucketBytes === 0 ? slotMs(this.#link, plan.payloadBytes) : 0;
      this.#baseMs = (median(oneWayMs(probes)) ?? this.#baseMs + ownMs) - ownMs;
      return { readings: delayReadings(this.#link, plan, observed.seen), observed };
    },
    serialisation: async () => {
      const plan = serialisationPlan(this.#link);
      const observed = plan === null ? null : await observeSerialisation(this.#link, this.#probing, plan);
      return {
        readings: plan === null || observed === null ? [] : serialisationReadings(this.#link, plan, observed.seen),
        observed,
      };
    },
    trains: async () => {
      const plan = trainPlan(this.#link);
      const observed = plan === null ? null : await observeTrains(this.#link, this.#probing, plan);
      const dropped = observed?.counters.droppedPackets ?? 0;
      return { readings: trainReadings(this.#link, plan, observed?.seen ?? [], dropped), observed };
    },
    overload: async () => {
      const plan = overloadPlan(this.#link);
      const observed = plan === null ? null : await observeOverload(this.#link, this.#probing, plan, this.#baseMs);
      return { readings: overloadReadings(this.#link, plan, observed?.seen ?? null), observed };
    },
    discipline: async () => {
      const plan = couplingPlan(this.#link);
      const observed =
        plan === null || typeof plan === 'string' ? null : await observeCoupling(this.#link, this.#probing, plan);
      return { readings: couplingReadings(this.#link, plan, observed?.seen ?? null), observed };
    },
    loss: async () => {
      const planOf = (lossRatio: number, paths: number) => lossPlan(this.#link, lossRatio, paths);
      const observed = await observeLoss(this.#link, this.#probing, planOf);
      return { readings: lossReadings(observed.seen), observed };
    },
    trace: async () => {
      const { trace } = this.#link;
      if (trace === undefined) return { readings: [], observed: null };
      const plan = tracePlan(this.#link, trace);
      const observed = await observeTrace(this.#link, trace, this.#probing, plan);
      return { readings: traceReadings(this.#link, trace, plan, observed.seen), observed };
    },
  };

  async try(step: StepName, attempt: number): Promise<{ readings: Reading[]; account: PreflightAttempt }> {
    const startMs = monotonicMs();
    const { readings, observed } = await this.#steps[step]();
    const cause = observed === null ? null : disturbance(step, observed.wakeUps, observed.senders);
    const judged = this.#link.isTold ? told(readings) : inLightOf(cause, readings);
    const wakeUps =
      observed === null ? null : { ...observed.wakeUps, lateWakeUps: observed.wakeUps.lateWakeUps.length };
    return {
      readings: judged,
      account: {
        step,
        attempt,
        verdict: gravest(judged),
        disturbance: cause,
        durationMs: monotonicMs() - startMs,
        wakeUps,
      },
    };
  }
}

/**
 * Returns true if another attempt at a step may follow. A refusal is final, so a refused step gets one attempt more
 * than others. A refused reading that is certain gets no further attempt.
 */
function mayTry(
  attempt: number,
  attempts: number,
  best: { readings: readonly Reading[]; verdict: ReadingVerdict } | undefined,
): boolean {
  if (best === undefined) return true;
  if (best.readings.some(({ verdict, certain }) => verdict === 'refused' && certain)) return false;
  return isGraver(best.verdict, 'skipped') && attempt <= attempts + (best.verdict === 'refused' ? 1 : 0);
}

/**
 * Measures and judges a link. Throws only if the probes themselves fail (`probe-died`, `missing-program`) or if the
 * signal aborts.
 */
export async function runPreflight(
  link: PreflightLink,
  bed: PreflightBed,
  {
    attempts = 2,
    steps = link.isTold ? toldSteps : allSteps,
    signal,
    exchange = probeExchange(bed),
  }: PreflightOptions = {},
): Promise<PreflightResult> {
  const startMs = monotonicMs();
  const preflight = new Preflight(link, { bed, exchange, signal });
  const readings: Reading[] = [];
  const accounts: PreflightAttempt[] = [];
  const awake = await KeepAwake.start();
  try {
    for (const step of steps) {
      let best: { readings: Reading[]; verdict: ReadingVerdict } | undefined;
      for (let attempt = 1; mayTry(attempt, attempts, best); attempt++) {
        const tried = await preflight.try(step, attempt);
        accounts.push(tried.account);
        if (best === undefined || isGraver(best.verdict, tried.account.verdict))
          best = { readings: tried.readings, verdict: tried.account.verdict };
      }
      readings.push(...(best?.readings ?? []));
    }
  } finally {
    await awake?.stop();
  }
  const named = link.direction === undefined ? readings : readings.map(one => inDirection(one, link.direction!));
  return { ...judge(named), readings: named, attempts: accounts, durationMs: monotonicMs() - startMs };
}
