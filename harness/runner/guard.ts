/** Steps of a trial: each is given up when the run is interrupted or a part of the trial dies. */
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import type { Finding } from '../record/trial-file.ts';

export class Guard {
  readonly #signal: AbortSignal;
  readonly #failures: Promise<never>[] = [];

  /** `signal`: aborted where the run is interrupted. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** From now on, steps end with what this rejects with. */
  watch(failed: Promise<never>): void {
    failed.catch(() => {}); // told by the next step
    this.#failures.push(failed);
  }

  async of<T>(step: Promise<T>): Promise<T> {
    step.catch(() => {}); // it is under way already, whatever is decided here
    this.#signal.throwIfAborted();
    let onAbort: () => void = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(this.#signal.reason);
      this.#signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([step, aborted, ...this.#failures]);
    } finally {
      this.#signal.removeEventListener('abort', onAbort);
    }
  }

  /** An error as a finding about this trial; thrown on where it is more than that, such as a full disk. */
  finding(error: unknown): Finding {
    if (this.#signal.aborted) throw this.#signal.reason;
    if (!(error instanceof CoexistError) || error.exitStatus !== exitStatus.trialsFailed) throw error;
    const kind = error.code === 'link-refused' ? 'link' : 'failure';
    return { kind, status: 'invalid', message: messageOf(error) };
  }
}
