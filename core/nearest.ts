/** Finds the word that was probably meant. */
import { CoexistError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** Edit distance by Levenshtein: insertions, deletions and substitutions cost 1. */
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

/** The known word closest to `word`, or undefined where none is close (over 40 % of its letters differ). */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length * 0.4));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    // that many letters differ at least, and a word of a stranger may have millions
    if (Math.abs(lower.length - candidate.toLowerCase().length) > most) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  return best !== undefined && best.distance <= most ? best.word : undefined;
}

/**
 * The error for a name that is none of `known`. `what` says so ("there is no study named ..."); the error adds the name
 * that was probably meant and lists those known, `more` after them.
 */
export function unknownName(
  code: ErrorCode,
  what: string,
  name: string,
  known: readonly string[],
  more = '',
): CoexistError {
  const meant = nearest(name, known);
  return new CoexistError(code, `${what}${meant === undefined ? '' : `; did you mean "${meant}"?`}`, {
    hint: `known: ${known.join(', ')}${more}`,
  });
}

/** Names that other programs give to what a definition calls otherwise. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  fps: ['frameRate'],
  resolution: ['width', 'height'],
  bandwidth: ['rate'],
  latency: ['delay', 'rtt'],
  cc: ['congestionControl', 'controller'],
  duration: ['window'],
  repetitions: ['repeats'],
};

/** The known names that were probably meant, at most three: of the same thing, close in letters, or with it inside. */
export function meantBy(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const same = Object.hasOwn(otherNames, lower) ? otherNames[lower]!.filter(name => known.includes(name)) : [];
  const close = nearest(word, known);
  const around = lower.length < 4 ? [] : known.filter(name => name.toLowerCase().includes(lower));
  return [...new Set([...same, ...(close === undefined ? [] : [close]), ...around])].slice(0, 3);
}
