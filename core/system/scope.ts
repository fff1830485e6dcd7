/**
 * A scope: work that has an owner, an end and a clean-up. It ends when its owner says so, when a signal is aborted, when
 * its time is over or when a part of it fails; then every wait in it is given up, and what was opened in it is closed,
 * the last first.
 */

import { messageOf } from '../errors.ts';
import { type Clock, realClock } from './clock.ts';

type ScopeOptions = {
  /** Ends the scope with its reason. */
  signal?: AbortSignal | undefined;
  /** Ends the scope `ms` after it was made, with that error. */
  deadline?: { ms: number; error: () => Error };
  /** The real one by default. */
  clock?: Clock | undefined;
  /** Takes the errors of the clean-up, one by one. Without it they are thrown. */
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
   * Runs `work` in a scope of its own, and closes the scope when it has ended, whatever comes of it. Errors of the clean-up
   * that are thrown do not hide that of `work`: both are in a SuppressedError.
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

  /** Aborted when the scope ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Gives up every wait. The first reason counts; the clean-up waits for `close`. */
  end(reason: unknown = new Error('the scope is over')): void {
    this.#release();
    this.#over.abort(reason);
  }

  /** Ends the scope when this rejects. */
  watch(failed: Promise<unknown>): void {
    failed.catch(error => this.end(error));
  }

  /** The result of a step, or the reason of the end, whichever comes first. Begins no wait after the end. */
  async race<T>(step: Promise<T>): Promise<T> {
    step.catch(() => {}); // it goes on when it is given up
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
   * Takes a thing that is being opened, which `close` closes in the clean-up, even if the scope ends before it is there. An
   * error of the opening is thrown here and nowhere else.
   */
  open<T>(opening: Promise<T> | T, close: (thing: T) => unknown): Promise<T> {
    const opened = Promise.resolve(opening);
    this.defer(() => opened.then(close, () => {}));
    return this.race(opened);
  }

  /** Adds a step to the clean-up, whose end it follows if that has begun. */
  defer(closing: () => unknown): void {
    this.#closings.push(closing);
    if (this.#closed !== undefined) this.#closed = this.#closed.finally(() => this.#close());
  }

  /** Ends the scope and cleans up, every step whatever becomes of the others. Throws their errors, unless there is a log. */
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
