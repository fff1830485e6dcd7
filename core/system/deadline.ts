/** Waits with a deadline. Every wait in the project has a deadline and can be aborted. */

import { CoexistError, type ErrorCode } from '../errors.ts';
import { type Clock, realClock } from './clock.ts';
import { Scope } from './scope.ts';

/** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted before. */
export function sleep(ms: number, signal?: AbortSignal, clock: Clock = realClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves when the clock has reached `timeMs`, never earlier, although a timer may fire up to a millisecond early. */
export async function sleepUntil(timeMs: number, signal?: AbortSignal, clock: Clock = realClock): Promise<void> {
  for (let leftMs = timeMs - clock.nowMs(); leftMs > 0; leftMs = timeMs - clock.nowMs())
    await sleep(leftMs, signal, clock);
}

/** Errors that were thrown because a deadline passed. Their codes differ. */
const overdue = new WeakSet<Error>();

/** True if the error or one of its causes was thrown because a deadline passed, in this project or in a library. */
export function isOverdue(error: unknown): boolean {
  return error instanceof Error && (overdue.has(error) || error.name === 'TimeoutError' || isOverdue(error.cause));
}

type WaitOptions = { code?: ErrorCode; hint?: string; signal?: AbortSignal; clock?: Clock };

function waitScope(ms: number, what: string, { code = 'timed-out', hint, signal, clock }: WaitOptions): Scope {
  const error = () => {
    const late = new CoexistError(
      code,
      `timed out after ${Math.round(ms / 100) / 10} s waiting for ${what}`,
      hint === undefined ? {} : { hint },
    );
    overdue.add(late);
    return late;
  };
  return new Scope({ signal, clock, deadline: { ms, error } });
}

/**
 * Returns the result of `promise`. If `ms` milliseconds pass before, it throws an error that names `what` and the time.
 * The code is `timed-out` unless the options set another one.
 */
export async function within<T>(promise: Promise<T>, ms: number, what: string, options: WaitOptions = {}): Promise<T> {
  const scope = waitScope(ms, what, options);
  try {
    return await scope.race(promise);
  } finally {
    scope.end();
  }
}

/**
 * Calls `ask` again and again until it returns a value other than undefined, and returns that value. Throws as `within`
 * does.
 */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  ms: number,
  what: string,
  options: WaitOptions & { everyMs?: number } = {},
): Promise<T> {
  const scope = waitScope(ms, what, options);
  const poll = async (): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await sleep(options.everyMs ?? 20, scope.signal, options.clock);
    }
  };
  try {
    return await scope.race(poll());
  } finally {
    scope.end();
  }
}
