/** Prints progress lines. On a terminal one line is overwritten; other outputs get one line after the other. */
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import { verdictWords } from '../../core/vocabulary/verdict-words.ts';
import { onlyHostDisturbed } from '../../core/vocabulary/void-reasons.ts';
import type { Finding, Verdict } from '../record/trial-file.ts';

/** Returns the word for a verdict, in capitals for a void try, so that it is visible among many lines. */
const shownVerdict = (status: Verdict['status']) =>
  status === 'invalid' ? verdictWords[status].toUpperCase() : verdictWords[status];

/** Largest number of reasons in a progress line. The report contains all reasons. */
const mostReasons = 4;

/**
 * Describes the result of a try: "VOID: the flood (iperf3) ended". The reason that decided the verdict comes first.
 * Notes do not affect the verdict and are long, so only their number is printed.
 */
export function describeVerdict({ status, findings }: Verdict): string {
  const [decisive, disturbing] = (['invalid', 'degraded'] as const).map(which =>
    findings.filter(finding => finding.status === which),
  ) as [Finding[], Finding[]];
  const deciding = [...decisive, ...disturbing];
  // Disturbances are marked, since they did not make the trial void.
  const reasons = deciding
    .slice(0, mostReasons)
    .map(({ message }, k) => (decisive.length > 0 && k === decisive.length ? `also disturbed: ${message}` : message));
  if (deciding.length > mostReasons) reasons.push(`${deciding.length - mostReasons} more in the report`);
  if (deciding.length === 0 && findings.length > 0)
    return `${shownVerdict(status)} (${counted(findings.length, 'note')} in the report)`;
  return `${shownVerdict(status)}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
}

/**
 * Number of consecutive tries made void by a disturbance after which a hint is printed. Chance hardly explains four.
 */
const voidsInRow = 4;
const disturbedHint =
  `${voidsInRow} tries in a row were void because the machine was disturbed. Close other programs; if run.parallel is ` +
  'above 1, lower it. Ctrl-C stops the study and keeps every finished trial; --resume continues it.';

export class Lines {
  readonly #out: NodeJS.WriteStream;
  /** True if the output is a terminal. */
  readonly isLive: boolean;
  /** Number of consecutive tries, up to now, that a disturbance made void. */
  #voids = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.isLive = out.isTTY === true;
  }

  /** Largest length of a line that can be overwritten. A line wider than the terminal cannot be overwritten. */
  get #columns(): number {
    return Math.max(20, (this.#out.columns ?? Infinity) - 1);
  }

  /** Prints a line that stays. */
  say(text: string): void {
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown}\n` : `${shown}\n`);
  }

  /** Prints the result of a try. After several void tries in a row a hint is printed once. */
  sayResult(name: string, verdict: Verdict, { willRetry = false } = {}): void {
    this.say(`${name}  ${describeVerdict(verdict)}${willRetry ? '; it is run again' : ''}`);
    this.#voids = verdict.status === 'invalid' && onlyHostDisturbed(verdict) ? this.#voids + 1 : 0;
    if (this.#voids === voidsInRow) this.say(disturbedHint);
  }

  /** Prints a line that the next line overwrites. Prints nothing if the output is no terminal. */
  sayForNow(text: string): void {
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown.slice(0, this.#columns)}` : `${shown}\n`);
  }
}
