/** Waiting with a deadline: every wait in the project has one and can be aborted. */

import { CoexistError, type ErrorCode } from '../errors.ts';
import { type Clock, realClock } from './clock.ts';
import { Scope } from './scope.ts';

/** Sleeps; rejects with the signal's reason when aborted. */
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

/** Sleeps until a time of the clock, never less: timers may fire up to a millisecond early. */
export async function sleepUntil(timeMs: number, signal?: AbortSignal, clock: Clock = realClock): Promise<void> {
  for (let leftMs = timeMs - clock.nowMs(); leftMs > 0; leftMs = timeMs - clock.nowMs())
    await sleep(leftMs, signal, clock);
}

/** Errors of missed deadlines, whatever their code. */
const overdue = new WeakSet<Error>();

/** True if the error, or one of its causes, is a missed deadline of this project or of a library. */
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

/** Returns the result of `promise`. Throws `code` after `ms`, with a message that names `what` and the time. */
export async function within<T>(promise: Promise<T>, ms: number, what: string, options: WaitOptions = {}): Promise<T> {
  const scope = waitScope(ms, what, options);
  try {
    return await scope.race(promise);
  } finally {
    scope.end();
  }
}

/** Calls `ask` until it returns a value other than undefined. Throws as `within` does. */
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
