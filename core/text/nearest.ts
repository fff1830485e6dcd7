/** Finds the word that was probably meant. */
import { CoexistError, type ErrorCode } from '../errors.ts';

/** Levenshtein distance: insertions, deletions and substitutions cost 1. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Returns the known word closest to `word`. Undefined if more than 40 % of the letters differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length * 0.4));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    // at least this many letters differ; skips the slow distance for inputs of millions of letters
    if (Math.abs(lower.length - candidate.toLowerCase().length) > most) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance >= candidate.length) continue; // no letter in common
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  return best !== undefined && best.distance <= most ? best.word : undefined;
}

/** Names of this project's keys, metrics and services, by the words that other programs and people use for them. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  fps: ['frameRate', 'frame-rate'],
  throughput: ['goodput', 'media-goodput', 'rate'],
  delay: ['rtt-mean', 'frame-latency-median'],
  webrtc: ['live-clip', 'chromium-call'],
  stream: ['live-clip'],
  tcp: ['iperf'],
  resolution: ['width', 'height'],
  bandwidth: ['rate'],
  latency: ['delay', 'rtt'],
  cc: ['congestionControl', 'controller'],
  duration: ['window'],
  repetitions: ['repeats'],
};

/** Splits "frame-latency" and "frameLatency" into "frame" and "latency". */
const partsOf = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '');

/** True for the same word in singular or plural: "stalls" and "stall", "freezes" and "freeze". */
const isAlike = (a: string, b: string) => a === b || a === `${b}s` || b === `${a}s`;

/** Returns the names that contain all parts of the word, shortest first. */
function withItsParts(word: string, known: readonly string[]): string[] {
  const parts = partsOf(word);
  if (parts.length === 0) return [];
  return known
    .filter(name => {
      const own = partsOf(name);
      return parts.every(part => own.some(other => isAlike(part, other)));
    })
    .toSorted((a, b) => a.length - b.length);
}

/**
 * Returns at most three known names that were probably meant: synonyms, names with similar letters, names that contain
 * the word.
 */
export function meantBy(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const same = Object.hasOwn(otherNames, lower) ? otherNames[lower]!.filter(name => known.includes(name)) : [];
  const close = nearest(word, known);
  const around = lower.length < 4 ? [] : known.filter(name => name.toLowerCase().includes(lower));
  const sure = new Set([...same, ...(close === undefined ? [] : [close]), ...around]);
  return [...(sure.size > 0 ? sure : withItsParts(word, known))].slice(0, 3);
}

/** Returns '; did you mean "rate" or "rtt"?', or an empty text if there is no suggestion. */
export function meantWords(word: string, known: readonly string[]): string {
  const meant = meantBy(word, known).map(name => `"${name}"`);
  return meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
}

/** Longest list of names that is printed in full if there is a suggestion and `listedIn` is given. */
const mostListed = 40;

/**
 * Returns the error for a name that is not in `known`. `what`: the message ("there is no study named ..."). The error
 * adds the names that were probably meant, a list of the known names, and then `more`. `listedIn`: place where a long
 * list can be read.
 */
export function unknownName(
  code: ErrorCode,
  what: string,
  name: string,
  known: readonly string[],
  { more = '', listedIn }: { more?: string; listedIn?: string } = {},
): CoexistError {
  const meant = meantWords(name, known);
  const isLong = meant !== '' && listedIn !== undefined && known.length > mostListed;
  const list = isLong ? `the ${known.length} of ${listedIn}` : known.join(', ');
  return new CoexistError(code, `${what}${meant}`, { hint: `known: ${list}${more}` });
}
