/**
 * Worker of a queue. The worker starts when its machine has passed the noise floor. Then it takes trials that a trusted
 * planner has signed, one at a time, runs them, and stores their records in the queue.
 */

import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import { sleep } from '../../core/system/deadline.ts';
import { verdictWords } from '../../core/vocabulary/verdict-words.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { NoiseFloor } from './noise-floor.ts';
import { type RunOrder, readRunOrder, readTrialOrder, type TrialOrder } from './order.ts';
import { distrust, readSigned, type Signed } from './planner-key.ts';
import { heartbeatMs, heartbeatSeconds } from './times.ts';
import type { Taken, WorkerSide } from './worker-side.ts';

/** Part of a worker that runs trials on this machine. */
export interface Carrier {
  /** Returns the noise floor of this machine. Measures it if no valid noise floor is stored. */
  noiseFloor(signal: AbortSignal): Promise<NoiseFloor>;
  /** Returns the reason why this machine cannot run the trials of a run; null if it can run them. */
  refusal(order: RunOrder): Promise<string | null>;
  /** Runs a trial. The record stays in the folder `directory` until `drop` is called. */
  run(run: RunOrder, order: TrialOrder, signal: AbortSignal): Promise<{ file: TrialFile; directory: string }>;
  drop(directory: string): void;
  /** Called when there is no trial to run. */
  rest(): Promise<void>;
}

type WorkerOptions = {
  side: WorkerSide;
  carrier: Carrier;
  trusted: ReadonlySet<string>;
  say(text: string): void;
  signal: AbortSignal;
  /** Name of this machine if it differs from the name of the worker. Default: the name of the worker. */
  host?: string;
  /** Time until a noise floor that did not pass is measured again, ms. Default: ten minutes. */
  floorAgainMs?: number;
};

const idleMs = 300;
const collectedMs = 100;
/** Time until a noise floor that did not pass is measured again, ms. */
const floorAgainMs = 10 * 60e3;
const takenBack =
  'stopped, because the queue took it back ' +
  `(no heartbeat for ${heartbeatSeconds} s, time limit, or end of the run)`;

export class Worker {
  readonly #options: WorkerOptions;
  /** Runs that this worker accepted, by the signatures of their orders. */
  readonly #runs = new Map<string, RunOrder>();
  #doing: string | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * Takes and runs trials until `signal` is aborted. Throws the reason of `signal`, or the reason why this machine
   * cannot continue.
   */
  async work(): Promise<never> {
    const { side, carrier, signal, say } = this.#options;
    await side.announce(null);
    const timer = setInterval(() => void side.announce(this.#doing).catch(() => {}), heartbeatMs);
    try {
      await this.#passFloor();
      for (;;) {
        signal.throwIfAborted();
        const next = await this.#take();
        if (next !== undefined) await this.#run(next.run, next.taken);
        else {
          await carrier.rest();
          await sleep(idleMs, signal);
        }
      }
    } finally {
      clearInterval(timer);
      await side.leave().catch(error => say(`this worker could not sign off from the queue: ${messageOf(error)}`));
    }
  }

  /** Measures the noise floor of this machine until it passes. */
  async #passFloor(): Promise<void> {
    const { side, carrier, signal, say, floorAgainMs: againMs = floorAgainMs } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      await side.tellFloor(null);
      const floor = await carrier.noiseFloor(signal);
      await side.tellFloor(floor);
      if (floor.passed) {
        say(`noise floor: ${floor.said}`);
        return;
      }
      say(`the noise floor of this machine does not pass, so it gets no trials: ${floor.said}`);
      await sleep(againMs, signal);
    }
  }

  async #take(): Promise<{ run: RunOrder; taken: Taken } | undefined> {
    const { side } = this.#options;
    for (const row of await side.runs()) {
      const run = await this.#runOrder(row);
      if (run === null) continue;
      const taken = await side.take(row.id);
      if (taken !== undefined) return { run, taken };
    }
    return undefined;
  }

  /** Returns the order of a run; null if this worker refuses the run. Prints the reason of a refusal once. */
  async #runOrder(row: Signed & { id: string }): Promise<RunOrder | null> {
    const { side, carrier, trusted, say } = this.#options;
    const known = this.#runs.get(row.signature);
    if (known?.run === row.id) return known;
    const order = readRunOrder(row.text);
    const reason =
      distrust(row, trusted) ??
      (order?.run !== row.id || order.code !== side.code
        ? 'its order is not for this run and version'
        : await carrier.refusal(order));
    if (reason === null) {
      this.#runs.set(row.signature, order!);
      return order!;
    }
    say(`this worker takes no trials of run ${row.id}: ${reason}`);
    await side.refuse(row.id, reason);
    return null;
  }

  async #run(run: RunOrder, taken: Taken): Promise<void> {
    const { side, trusted, say, signal } = this.#options;
    const signed = readSigned(taken.data);
    const order = signed === undefined ? undefined : readTrialOrder(signed.text);
    const reason =
      signed === undefined
        ? 'it is not signed'
        : (distrust(signed, trusted) ??
          (order?.job !== taken.job || order.run !== taken.run ? 'its order is not for this job' : null));
    if (reason !== null) {
      say(`refused a trial of run ${taken.run}: ${reason}`);
      await side.giveBack(taken, reason);
      return;
    }
    const lost = new AbortController();
    const heart = setInterval(
      () =>
        void side.keep(taken).then(
          isMine => {
            if (!isMine) lost.abort(new Error(takenBack));
          },
          () => {},
        ),
      heartbeatMs,
    );
    this.#doing = order!.planned.trial.id;
    let isHandedIn = false;
    try {
      void side.announce(this.#doing).catch(() => {}); // if this fails, the next heartbeat reports it
      say(`${run.lane.study}: ${this.#doing}, try ${order!.attempt}`);
      isHandedIn = await this.#carry(run, order!, taken, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (lost.signal.aborted && !signal.aborted) say(`${this.#doing}: ${messageOf(lost.signal.reason)}`);
      else throw error;
    } finally {
      clearInterval(heart);
      this.#doing = null;
      void side.announce(null).catch(() => {}); // if this fails, the next heartbeat reports it
    }
    if (isHandedIn) await this.#untilCollected(run, taken);
  }

  /**
   * Waits until a planner on this machine has collected the record, because collecting would disturb the next trial.
   */
  async #untilCollected({ machine }: RunOrder, taken: Taken): Promise<void> {
    const { side, signal, host = side.machine } = this.#options;
    if (machine !== host) return;
    while (!(await side.isCollected(taken))) await sleep(collectedMs, signal);
  }

  /** Runs a trial and stores its record. Returns true if the queue accepted the record. */
  async #carry(run: RunOrder, order: TrialOrder, taken: Taken, signal: AbortSignal): Promise<boolean> {
    const { side, carrier, say } = this.#options;
    let directory: string | undefined;
    try {
      const came = await carrier.run(run, order, signal);
      directory = came.directory;
      const isTaken = await side.complete(taken, { file: came.file }, directory);
      const verdict = verdictWords[came.file.verdict.status];
      const dropped = 'its record is dropped, because the queue took the trial back';
      say(`${order.planned.trial.id}: ${isTaken ? verdict : dropped}`);
      return isTaken;
    } catch (error) {
      // an error of the trial (a service that does not start, a record that is too large) is its result. After any
      // other error the trial may succeed on another worker
      if (error instanceof CoexistError && error.exitStatus === exitStatus.trialsFailed && !signal.aborted) {
        await side.complete(
          taken,
          {
            refusal: {
              code: error.code,
              message: error.message,
              ...(error.hint === undefined ? {} : { hint: error.hint }),
            },
          },
          null,
        );
        return false;
      }
      await side.giveBack(taken, messageOf(error));
      throw error;
    } finally {
      if (directory !== undefined) carrier.drop(directory);
    }
  }
}
