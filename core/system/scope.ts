/**
 * Scopes: work with an owner, an end and a clean-up. A scope ends when its owner ends it, a signal is aborted, its
 * deadline passes or a watched part fails. Then all waits in it are given up. Its clean-up closes the things that were
 * opened in it, the last first.
 */

import { messageOf } from '../errors.ts';
import { type Clock, realClock } from './clock.ts';

type ScopeOptions = {
  /** An abort ends the scope with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Ends the scope with this error `ms` after its creation. */
  deadline?: { ms: number; error: () => Error };
  /** Default: the real clock. */
  clock?: Clock | undefined;
  /** Receives the errors of the clean-up one by one. Without it they are thrown. */
  log?: (text: string) => void;
};

export class Scope {
  readonly #over = new AbortController();
  readonly #closings: (() => unknown)[] = [];
  readonly #release: () => void;
  readonly #log: ((text: string) => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor({ signal: outer, deadline, clock = realClock, log }: ScopeOptions = {}) {
    this.#log = log;
    const onAbort = () => this.end(outer!.reason);
    const cancel = deadline === undefined ? () => {} : clock.after(deadline.ms, () => this.end(deadline.error()));
    this.#release = () => {
      cancel();
      outer?.removeEventListener('abort', onAbort);
    };
    if (outer?.aborted) onAbort();
    else outer?.addEventListener('abort', onAbort, { once: true });
  }

  /**
   * Runs `work` in a new scope and closes the scope when `work` has ended or failed. If the clean-up throws after
   * `work` has thrown, a SuppressedError holds both errors.
   */
  static async run<T>(options: ScopeOptions, work: (scope: Scope) => Promise<T>): Promise<T> {
    const scope = new Scope(options);
    let result: T;
    try {
      result = await work(scope);
    } catch (error) {
      await scope.close().catch(failure => {
        throw new SuppressedError(failure, error, messageOf(error));
      });
      throw error;
    }
    await scope.close();
    return result;
  }

  /** Signal that is aborted when the scope ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Ends the scope and gives up every wait. The first reason counts. The clean-up does not start before `close`. */
  end(reason: unknown = new Error('the scope is over')): void {
    this.#release();
    this.#over.abort(reason);
  }

  /** Ends the scope if the promise rejects. */
  watch(failed: Promise<unknown>): void {
    failed.catch(error => this.end(error));
  }

  /**
   * Returns the result of a step, or throws the reason of the end if the scope ends first. Throws at once if the scope
   * has ended.
   */
  async race<T>(step: Promise<T>): Promise<T> {
    step.catch(() => {}); // a given-up step continues; its error is ignored
    this.signal.throwIfAborted();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(this.signal.reason);
    this.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([step, over]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Returns a thing once it is opened, and registers `close` for the clean-up. The clean-up closes it even if the scope
   * ends before it is open. An error of the opening is only thrown here.
   */
  open<T>(opening: Promise<T> | T, close: (thing: T) => unknown): Promise<T> {
    const opened = Promise.resolve(opening);
    this.defer(() => opened.then(close, () => {}));
    return this.race(opened);
  }

  /** Adds a step to the clean-up. If the clean-up has begun, the step runs after it. */
  defer(closing: () => unknown): void {
    this.#closings.push(closing);
    if (this.#closed !== undefined) this.#closed = this.#closed.finally(() => this.#close());
  }

  /**
   * Ends the scope and runs every step of the clean-up, even if others fail. Throws their errors unless there is a log.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.end();
    const errors: unknown[] = [];
    for (let closing = this.#closings.pop(); closing !== undefined; closing = this.#closings.pop())
      try {
        await closing();
      } catch (error) {
        if (this.#log === undefined) errors.push(error);
        else this.#log(messageOf(error));
      }
    if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join('; '));
    if (errors.length === 1) throw errors[0];
  }
}
