/** Waiting that always ends: every wait in the project has a deadline and can be aborted. */
import { nowMs } from './clock.ts';
import { CoexistError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** Sleeps; rejects with the signal's reason when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Sleeps until a point in time of `nowMs`, never less: timers may fire up to a millisecond early. */
export async function sleepUntil(timeMs: number, signal?: AbortSignal): Promise<void> {
  for (let leftMs = timeMs - nowMs(); leftMs > 0; leftMs = timeMs - nowMs()) await sleep(leftMs, signal);
}

/** The result of `promise`, or an error that says what was waited for and for how long. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  what: string,
  options: { code?: ErrorCode; hint?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const { code = 'timed-out', hint, signal } = options;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(
            new CoexistError(
              code,
              `waited ${Math.round(ms / 100) / 10} s for ${what}, in vain`,
              hint === undefined ? {} : { hint },
            ),
          );
        }, ms);
        if (signal?.aborted) return reject(signal.reason);
        onAbort = () => reject(signal!.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    promise.catch(() => {});
  }
}

/** Asks until the answer is not undefined. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  ms: number,
  what: string,
  options: { everyMs?: number; code?: ErrorCode; hint?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const poll = async (): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await sleep(options.everyMs ?? 20, signal);
    }
  };
  try {
    return await within(poll(), ms, what, options);
  } finally {
    stop.abort(new Error('no longer waited for'));
  }
}
