/** Lines of progress: one that is written over again and again on a terminal, one below the other elsewhere. */
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import { verdictWords } from '../../core/vocabulary/verdict-words.ts';
import { onlyHostDisturbed } from '../../core/vocabulary/void-reasons.ts';
import type { Finding, Verdict } from '../record/trial-file.ts';

/** A void try is to be seen among many lines. */
const shownVerdict = (status: Verdict['status']) =>
  status === 'invalid' ? verdictWords[status].toUpperCase() : verdictWords[status];

/** So many reasons fit into what somebody reads in passing; the report has all. */
const mostReasons = 4;

/**
 * "VOID: the flood (iperf3) ended": the result of a trial. The decisive reason comes first. Notes do not affect the
 * verdict and are long, so only their number is printed.
 */
export function describeVerdict({ status, findings }: Verdict): string {
  const [decisive, disturbing] = (['invalid', 'degraded'] as const).map(which =>
    findings.filter(finding => finding.status === which),
  ) as [Finding[], Finding[]];
  const deciding = [...decisive, ...disturbing];
  // what merely disturbed a trial does not make it void
  const reasons = deciding
    .slice(0, mostReasons)
    .map(({ message }, k) => (decisive.length > 0 && k === decisive.length ? `also disturbed: ${message}` : message));
  if (deciding.length > mostReasons) reasons.push(`${deciding.length - mostReasons} more in the report`);
  if (deciding.length === 0 && findings.length > 0)
    return `${shownVerdict(status)} (${counted(findings.length, 'note')} in the report)`;
  return `${shownVerdict(status)}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
}

/** After so many tries in a row that a disturbance made void, the reader is told what to do: chance is unlikely. */
const voidsInRow = 4;
const disturbedHint =
  `${voidsInRow} tries in a row were void because the machine was disturbed. Close other programs; if run.parallel is ` +
  'above 1, lower it. Ctrl-C stops the study and keeps every finished trial; --resume continues it.';

export class Lines {
  readonly #out: NodeJS.WriteStream;
  /** On a terminal. */
  readonly isLive: boolean;
  /** Tries since the last that no disturbance made void. */
  #voids = 0;

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
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown}\n` : `${shown}\n`);
  }

  /** The result of the try of that name. Says once what to do where tries are void again and again. */
  sayResult(name: string, verdict: Verdict, { willRetry = false } = {}): void {
    this.say(`${name}  ${describeVerdict(verdict)}${willRetry ? '; it is run again' : ''}`);
    this.#voids = verdict.status === 'invalid' && onlyHostDisturbed(verdict) ? this.#voids + 1 : 0;
    if (this.#voids === voidsInRow) this.say(disturbedHint);
  }

  /** A line that the next one replaces, where the output allows that. */
  sayForNow(text: string): void {
    const shown = printable(text);
    this.#out.write(this.isLive ? `\r\x1b[K${shown.slice(0, this.#columns)}` : `${shown}\n`);
  }
}
