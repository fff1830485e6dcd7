/** Finds the known name that a user probably meant by an unknown one, for messages. */
import { CoexistError, type ErrorCode } from '../errors.ts';

/**
 * Returns the Levenshtein distance of two words: the number of insertions, deletions and substitutions between them.
 */
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

/**
 * Returns the known word that is most similar to `word`. Undefined if the distance exceeds 40 % of the letters of
 * `word`.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length * 0.4));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    // the distance is at least the difference of the lengths; this skips the slow computation for inputs of millions of
    // letters
    if (Math.abs(lower.length - candidate.toLowerCase().length) > most) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance >= candidate.length) continue; // the words have no letter in common
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  return best !== undefined && best.distance <= most ? best.word : undefined;
}

/** Names of keys, metrics and services in this project, by the words that people and other programs use for them. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  fps: ['frameRate', 'frame-rate'],
  throughput: ['goodput', 'rate'],
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

/** Splits a name into its parts: "frame-latency" and "frameLatency" become "frame" and "latency". */
const partsOf = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '');

/** True if the two words are equal or differ only in a plural s, as "stalls" and "stall" do. */
const isAlike = (a: string, b: string) => a === b || a === `${b}s` || b === `${a}s`;

/** Returns the known names that contain all parts of `word`, shortest first. */
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
 * Returns at most three known names that were probably meant by `word`: names for a synonym, the most similar name, and
 * names that contain `word`. If there are none, it returns names that contain all parts of `word`.
 */
export function meantBy(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const same = Object.hasOwn(otherNames, lower) ? otherNames[lower]!.filter(name => known.includes(name)) : [];
  const close = nearest(word, known);
  const around = lower.length < 4 ? [] : known.filter(name => name.toLowerCase().includes(lower));
  const sure = new Set([...same, ...(close === undefined ? [] : [close]), ...around]);
  return [...(sure.size > 0 ? sure : withItsParts(word, known))].slice(0, 3);
}

/** Returns the end of a message: '; did you mean "rate" or "rtt"?'. Empty if there is no suggestion. */
export function meantWords(word: string, known: readonly string[]): string {
  const meant = meantBy(word, known).map(name => `"${name}"`);
  return meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
}

/**
 * Largest number of known names that a hint lists in full, if there is a suggestion and a place where all names can be
 * read.
 */
const mostListed = 40;

/**
 * Returns the error for a name that is not in `known`. `what`: the message ("there is no study named ..."), to which
 * the names that were probably meant are added. The hint lists the known names, and ends with `more`. `listedIn`: place
 * where a long list of the names can be read; the hint then names this place.
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
