/** Lines of progress: one that is written over again and again on a terminal, one below the other elsewhere. */
import type { Verdict } from '../record/trial-file.ts';

const verdictWords = { valid: 'valid', degraded: 'valid, slightly disturbed', invalid: 'VOID' } as const;

/** "VOID: the flood (iperf3) ended": what became of a trial. */
export function describeVerdict({ status, findings }: Verdict): string {
  return `${verdictWords[status]}${findings.length === 0 ? '' : `: ${findings.map(({ message }) => message).join('; ')}`}`;
}

export class Lines {
  readonly #out: NodeJS.WriteStream;
  /** On a terminal. */
  readonly isLive: boolean;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.isLive = out.isTTY === true;
  }

  /** A line that is longer than the terminal is wide could not be written over. */
  get #columns(): number {
    return Math.max(20, (this.#out.columns ?? Infinity) - 1);
  }

  /** A line that stays. */
  say(text: string): void {
    this.#out.write(this.isLive ? `\r\x1b[K${text}\n` : `${text}\n`);
  }

  /** A line that the next one takes the place of, where that can be. */
  sayForNow(text: string): void {
    this.#out.write(this.isLive ? `\r\x1b[K${text.slice(0, this.#columns)}` : `${text}\n`);
  }
}
