/**
 * Scopes: an owner opens things in a scope, and the scope closes them. A scope ends when its owner ends it, its signal
 * is aborted, its deadline passes or a watched part fails. All waits in the scope then reject. The clean-up closes the
 * things that were opened in the scope, the last one first.
 */

import { messageOf } from '../errors.ts';
import { type Clock, realClock } from './clock.ts';

type ScopeOptions = {
  /** Signal whose abort ends the scope, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Ends the scope `ms` milliseconds after its creation, with the error that `error` returns. */
  deadline?: { ms: number; error: () => Error };
  /** Clock for the deadline. Default: the real clock. */
  clock?: Clock | undefined;
  /** Receives the message of each error of the clean-up. Without it, `close` throws the errors. */
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

  /** Signal that is aborted when the scope ends. The reason of the signal is the reason of the end. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Ends the scope: all waits in it reject with `reason`. Has no effect if the scope has already ended. The clean-up
   * does not start before `close`.
   */
  end(reason: unknown = new Error('the scope is over')): void {
    this.#release();
    this.#over.abort(reason);
  }

  /** Ends the scope if the promise rejects, with the error of the promise. */
  watch(failed: Promise<unknown>): void {
    failed.catch(error => this.end(error));
  }

  /** Returns the result of `step`. Throws the reason of the end if the scope ends first or has ended before. */
  async race<T>(step: Promise<T>): Promise<T> {
    step.catch(() => {}); // a step continues after the end of the scope; its error is then ignored
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
   * Returns the thing that `opening` resolves to. The clean-up calls `close` with it, even if the scope ends before the
   * thing is open. If `opening` rejects, only this call throws the error.
   */
  open<T>(opening: Promise<T> | T, close: (thing: T) => unknown): Promise<T> {
    const opened = Promise.resolve(opening);
    this.defer(() => opened.then(close, () => {}));
    return this.race(opened);
  }

  /** Adds a step to the clean-up. If the clean-up has begun, the new step runs after the others. */
  defer(closing: () => unknown): void {
    this.#closings.push(closing);
    if (this.#closed !== undefined) this.#closed = this.#closed.finally(() => this.#close());
  }

  /**
   * Ends the scope and runs every step of the clean-up, even if others fail. Throws the errors of the steps unless the
   * scope has a log.
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
