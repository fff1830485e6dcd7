/** Lines of progress. A terminal has one line that is overwritten; other outputs have one line after the other. */
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import { verdictWords } from '../../core/vocabulary/verdict-words.ts';
import { onlyHostDisturbed } from '../../core/vocabulary/void-reasons.ts';
import type { Finding, Verdict } from '../record/trial-file.ts';

/** Capitals for a void try, so that it is visible among many lines. */
const shownVerdict = (status: Verdict['status']) =>
  status === 'invalid' ? verdictWords[status].toUpperCase() : verdictWords[status];

/** Number of reasons that can be read in passing. The report has all. */
const mostReasons = 4;

/**
 * Describes the result of a trial: "VOID: the flood (iperf3) ended". The decisive reason comes first. Notes do not
 * affect the verdict and are long, so only their number is printed.
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
 * Number of consecutive tries that a disturbance made void, after which a hint is printed. It is unlikely to be chance.
 */
const voidsInRow = 4;
const disturbedHint =
  `${voidsInRow} tries in a row were void because the machine was disturbed. Close other programs; if run.parallel is ` +
  'above 1, lower it. Ctrl-C stops the study and keeps every finished trial; --resume continues it.';

export class Lines {
  readonly #out: NodeJS.WriteStream;
  /** True on a terminal. */
  readonly isLive: boolean;
  /** Number of tries since the last one that no disturbance made void. */
  #voids = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.isLive = out.isTTY === true;
  }

  /** Columns of a line that can be overwritten: a line wider than the terminal cannot. */
  get #columns(): number {
    return Math.max(20, (this.#out.columns ?? Infinity) - 1);
  }

  /** Prints a permanent line. */
  say(text: string): void {
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown}\n` : `${shown}\n`);
  }

  /** Prints the result of a try. Prints a hint once after several void tries in a row. */
  sayResult(name: string, verdict: Verdict, { willRetry = false } = {}): void {
    this.say(`${name}  ${describeVerdict(verdict)}${willRetry ? '; it is run again' : ''}`);
    this.#voids = verdict.status === 'invalid' && onlyHostDisturbed(verdict) ? this.#voids + 1 : 0;
    if (this.#voids === voidsInRow) this.say(disturbedHint);
  }

  /** Prints a line that the next one replaces, if the output is a terminal. */
  sayForNow(text: string): void {
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown.slice(0, this.#columns)}` : `${shown}\n`);
  }
}
