/** Waiting that always ends: every wait in the project has a deadline and can be aborted. */
import { type Clock, realClock } from './clock.ts';
import { CoexistError, type ErrorCode } from './errors.ts';

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

/** Sleeps until a point in time of the clock, never less: timers may fire up to a millisecond early. */
export async function sleepUntil(timeMs: number, signal?: AbortSignal, clock: Clock = realClock): Promise<void> {
  for (let leftMs = timeMs - clock.nowMs(); leftMs > 0; leftMs = timeMs - clock.nowMs())
    await sleep(leftMs, signal, clock);
}

/** Errors of deadlines, whatever their code. */
const overdue = new WeakSet<Error>();

/** True where something was not there in time, by a deadline of ours or of a library's: that is why, or what caused it. */
export function isOverdue(error: unknown): boolean {
  return error instanceof Error && (overdue.has(error) || error.name === 'TimeoutError' || isOverdue(error.cause));
}

/** The result of `promise`, or an error that says what was waited for and for how long. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  what: string,
  options: { code?: ErrorCode; hint?: string; signal?: AbortSignal; clock?: Clock } = {},
): Promise<T> {
  const { code = 'timed-out', hint, signal, clock = realClock } = options;
  let cancel = () => {};
  let onAbort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        cancel = clock.after(ms, () => {
          const error = new CoexistError(
            code,
            `timed out after ${Math.round(ms / 100) / 10} s waiting for ${what}`,
            hint === undefined ? {} : { hint },
          );
          overdue.add(error);
          reject(error);
        });
        if (signal?.aborted) return reject(signal.reason);
        onAbort = () => reject(signal!.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    ]);
  } finally {
    cancel();
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    promise.catch(() => {});
  }
}

/** Asks until the answer is not undefined. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  ms: number,
  what: string,
  options: { everyMs?: number; code?: ErrorCode; hint?: string; signal?: AbortSignal; clock?: Clock } = {},
): Promise<T> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const poll = async (): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await sleep(options.everyMs ?? 20, signal, options.clock);
    }
  };
  try {
    return await within(poll(), ms, what, options);
  } finally {
    stop.abort(new Error('no longer waited for'));
  }
}
