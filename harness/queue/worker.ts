/**
 * A worker: shows that its machine is quiet, then takes one trial after another that a planner whom it trusts has
 * signed, has it run, and hands in its record.
 */
import { sleep } from '../../core/deadline.ts';
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { NoiseFloor } from './noise-floor.ts';
import { readRunOrder, readTrialOrder } from './order.ts';
import type { RunOrder, TrialOrder } from './order.ts';
import { distrust, readSigned } from './planner-key.ts';
import type { Signed } from './planner-key.ts';
import { heartbeatMs } from './times.ts';
import type { Taken, WorkerSide } from './worker-side.ts';

/** Who runs trials on this machine. */
export interface Carrier {
  /** What this machine does to a stream by itself; measured where it is not known. */
  noiseFloor(signal: AbortSignal): Promise<NoiseFloor>;
  /** Why this machine cannot carry a run; null where it can. */
  refusal(order: RunOrder): Promise<string | null>;
  /** Runs a trial; its record is in the folder until `drop`. */
  run(run: RunOrder, order: TrialOrder, signal: AbortSignal): Promise<{ file: TrialFile; directory: string }>;
  drop(directory: string): void;
  /** Nothing is there to do for now. */
  rest(): Promise<void>;
}

type WorkerOptions = {
  side: WorkerSide;
  carrier: Carrier;
  trusted: ReadonlySet<string>;
  say(text: string): void;
  signal: AbortSignal;
  /** Name of this machine by itself, whatever its worker is called; that of the worker where not said. */
  host?: string;
  /** Time until a noise floor that did not pass is measured again, ms. */
  floorAgainMs?: number;
};

const idleMs = 300;
const collectedMs = 100;
/** After a noise floor that did not pass: what disturbs a machine may end. */
const floorAgainMs = 10 * 60e3;

export class Worker {
  readonly #options: WorkerOptions;
  /** Runs that it works for, by what was signed. */
  readonly #runs = new Map<string, RunOrder>();
  #doing: string | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Works until the signal; throws its reason, or why this machine cannot go on. */
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
      await side.leave().catch(error => say(`the queue was not told that this worker ends: ${messageOf(error)}`));
    }
  }

  /** Returns when the machine has passed its noise floor. */
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

  /** The run; null where this worker has nothing to do with it, which is said once. */
  async #runOrder(row: Signed & { id: string }): Promise<RunOrder | null> {
    const { side, carrier, trusted, say } = this.#options;
    const known = this.#runs.get(row.signature);
    if (known?.run === row.id) return known;
    const order = readRunOrder(row.text);
    const reason =
      distrust(row, trusted) ??
      (order?.run !== row.id || order.code !== side.code ? 'it is not what was signed' : await carrier.refusal(order));
    if (reason === null) {
      this.#runs.set(row.signature, order!);
      return order!;
    }
    say(`run ${row.id} is not for this worker: ${reason}`);
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
          (order?.job !== taken.job || order.run !== taken.run ? 'it is not what was signed' : null));
    if (reason !== null) {
      say(`a trial of run ${taken.run} is not run: ${reason}`);
      await side.giveBack(taken, reason);
      return;
    }
    const lost = new AbortController();
    const heart = setInterval(
      () =>
        void side.keep(taken).then(
          isMine => {
            if (!isMine) lost.abort(new Error('the trial was given to another worker'));
          },
          () => {},
        ),
      heartbeatMs,
    );
    this.#doing = order!.planned.trial.id;
    let isHandedIn = false;
    try {
      void side.announce(this.#doing).catch(() => {}); // the next heartbeat says it, too
      say(`${run.lane.study}: ${this.#doing}, try ${order!.attempt}`);
      isHandedIn = await this.#carry(run, order!, taken, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (lost.signal.aborted && !signal.aborted) say(`${this.#doing}: ${messageOf(lost.signal.reason)}`);
      else throw error;
    } finally {
      clearInterval(heart);
      this.#doing = null;
      void side.announce(null).catch(() => {}); // the next heartbeat says it, too
    }
    if (isHandedIn) await this.#untilCollected(run, taken);
  }

  /** A planner on this machine takes the record in before the next trial, which that would disturb. */
  async #untilCollected({ machine }: RunOrder, taken: Taken): Promise<void> {
    const { side, signal, host = side.machine } = this.#options;
    if (machine !== host) return;
    while (!(await side.isCollected(taken))) await sleep(collectedMs, signal);
  }

  /** True where its record was handed in. */
  async #carry(run: RunOrder, order: TrialOrder, taken: Taken, signal: AbortSignal): Promise<boolean> {
    const { side, carrier, say } = this.#options;
    let directory: string | undefined;
    try {
      const came = await carrier.run(run, order, signal);
      directory = came.directory;
      const isTaken = await side.complete(taken, { file: came.file }, directory);
      say(
        `${order.planned.trial.id}: ${isTaken ? came.file.verdict.status : 'was given to another worker; this record is dropped'}`,
      );
      return isTaken;
    } catch (error) {
      // a service that cannot be made ready, or a record that is too large, is an answer; whatever else it is, somebody
      // else may manage
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
