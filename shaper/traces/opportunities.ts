/**
 * Packet-delivery traces in mahimahi's format (mm-link(1)): each line is an opportunity to send 1500 bytes, given as ms
 * since the trace's start, in non-decreasing order. The trace repeats; its last time is its period. In addition to
 * mahimahi's format, a byte order mark, white space, blank lines and comments after "#" are ignored.
 *
 * This is the only parser of such files; the emulator gets the times from here (shaper/backend/trace-file.ts).
 */
import { CoexistError, messageOf } from '../../core/errors.ts';
import { decodeText } from '../../core/system/text-encoding.ts';
import { formatRate } from '../../core/text/units.ts';
import { bottleneckRates } from '../../core/vocabulary/link.ts';
import type { TraceFacts } from '../../core/vocabulary/trace-facts.ts';
import { rateOf, ratesBySecond } from './trace-rates.ts';

export type Trace = { timesMs: Uint32Array; facts: TraceFacts };

/**
 * Largest number of times in a trace, TRACE_OPPORTUNITIES_MAX of the emulator. The emulator holds the trace in memory:
 * this number is more than 6 min of 1 Gbit/s.
 */
const mostOpportunities = 2 ** 25;
/**
 * Largest file of a trace, bytes. A line has at most ten digits and an end of line; the rest is room for white space.
 */
export const mostTraceBytes = 16 * mostOpportunities;
/** Largest time in a trace, ms: the emulator stores times in 32 bits. */
const mostMs = 2 ** 32 - 1;

const hint = 'a trace has one time in whole ms on each line, not falling (mm-link(1))';

/** Parses the bytes of a trace file. `name`: the file's name, for messages. Throws `bad-definition`. */
export function parseTrace(bytes: Uint8Array, name: string): Trace {
  const refuse = (what: string, mend = hint) =>
    new CoexistError('bad-definition', `link.trace: ${name}${what}`, { hint: mend });
  const timesMs = new Times(refuse);
  readLines(inUtf8(bytes, name), (timeMs, text, line) => timesMs.add(timeMs, text, line));
  const times = timesMs.all;
  const periodMs = times.at(-1);
  if (periodMs === undefined) throw refuse(' has no time in it');
  if (periodMs === 0) throw refuse(' lasts no time: its last line must be more than 0');
  const facts = factsOf(times, periodMs);
  const { min, max } = bottleneckRates;
  if (facts.meanRateBps < min || facts.meanRateBps > max)
    throw refuse(
      ` has a mean of ${formatRate(facts.meanRateBps)} (${times.length} times 1500 bytes in ${periodMs} ms), and a ` +
        `link carries ${formatRate(min)} to ${formatRate(max)}`,
      'each line is the time of one opportunity, in ms since the start: a rate has no place in a trace',
    );
  return { timesMs: times, facts };
}

/** Growing array of times. The number of times is known only after the last line. */
class Times {
  #times = new Uint32Array(1 << 12);
  #count = 0;
  readonly #refuse: (what: string) => CoexistError;

  constructor(refuse: (what: string) => CoexistError) {
    this.#refuse = refuse;
  }

  /** Appends a time; `timeMs` is NaN if `text` is not a number. Throws `bad-definition` if the time is not valid. */
  add(timeMs: number, text: string, line: number): void {
    if (Number.isNaN(timeMs)) throw this.#refuse(`, line ${line}: "${text.slice(0, 40)}" is not a time in whole ms`);
    if (timeMs > mostMs)
      throw this.#refuse(`, line ${line}: ${text.slice(0, 40)} ms is more than ${mostMs}; times count from the start`);
    const before = this.#count === 0 ? 0 : this.#times[this.#count - 1]!;
    if (timeMs < before) throw this.#refuse(`, line ${line}: ${timeMs} ms comes after ${before} ms`);
    if (this.#count === mostOpportunities) throw this.#refuse(` has more than ${mostOpportunities} times`);
    if (this.#count === this.#times.length) {
      const more = new Uint32Array(2 * this.#times.length);
      more.set(this.#times);
      this.#times = more;
    }
    this.#times[this.#count++] = timeMs;
  }

  get all(): Uint32Array {
    return this.#times.subarray(0, this.#count);
  }
}

/**
 * Returns UTF-16 text, which Windows PowerShell writes, as UTF-8. Other bytes are returned unchanged; the parser
 * refuses binary content line by line.
 */
function inUtf8(bytes: Uint8Array, name: string): Uint8Array {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isWide) return bytes;
  try {
    return Buffer.from(decodeText(bytes, name));
  } catch (error) {
    throw new CoexistError('bad-definition', `link.trace: ${messageOf(error)}`, {
      hint: 'save it in UTF-8',
      cause: error,
    });
  }
}

const [newline, carriageReturn, zero, nine] = [10, 13, 48, 57];

/**
 * Calls `onTime` for each line that is not blank. Lines of digits, nearly all lines, are parsed from their bytes, since
 * a file may exceed the longest string. A line ends with LF, CR LF or CR.
 */
function readLines(bytes: Uint8Array, onTime: (timeMs: number, text: string, line: number) => void): void {
  let [at, line] = [0, 0];
  while (at < bytes.length) {
    line++;
    const start = at;
    let value = 0;
    while (at < bytes.length && bytes[at]! >= zero && bytes[at]! <= nine) value = 10 * value + bytes[at++]! - zero;
    const isPlain = at > start && at - start <= 10 && (at === bytes.length || isEnd(bytes[at]!));
    while (at < bytes.length && !isEnd(bytes[at]!)) at++;
    if (isPlain) onTime(value, String(value), line);
    else {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start)
        .toString()
        .replace(/#.*/s, '')
        .trim(); // removes all white space and a byte order mark
      if (text !== '') onTime(/^\d+$/.test(text) ? Number(text) : NaN, text, line);
    }
    if (bytes[at] === carriageReturn && bytes[at + 1] === newline) at++;
    at++;
  }
}

const isEnd = (byte: number) => byte === newline || byte === carriageReturn;

function factsOf(timesMs: Uint32Array, periodMs: number): TraceFacts {
  const [lowestRateBps, highestRateBps] = ratesBySecond(timesMs, periodMs);
  let longestPauseMs = timesMs[0]!;
  for (let k = 1; k < timesMs.length; k++) longestPauseMs = Math.max(longestPauseMs, timesMs[k]! - timesMs[k - 1]!);
  return {
    opportunities: timesMs.length,
    periodMs,
    meanRateBps: rateOf(timesMs.length, periodMs),
    lowestRateBps,
    highestRateBps,
    firstMs: timesMs[0]!,
    longestPauseMs,
  };
}
