/** Command line that repeats a pairwise study. */
import { isDeepStrictEqual } from 'node:util';
import { shownWord } from '../../../core/text/shell.ts';
import { contestants } from './contestants.ts';
import { runSchema, writtenRun } from './define.ts';
import type { PairsPlan } from './plan.ts';

/** Returns the command. Null if the study does not consist of all pairs of shipped services. */
export function pairsCommand({ contestants: own, links, run, cells }: PairsPlan): string | null {
  const named = links.filter(({ id }) => cells.some(({ link, sides }) => link === id && sides.length === 2));
  const pairs = cells.filter(({ sides }) => sides.length === 2).length;
  const isWhole = pairs === (named.length * own.length * (own.length + 1)) / 2;
  if (!isWhole || !own.every(({ name }) => Object.hasOwn(contestants, name))) return null;
  const usual = writtenRun(runSchema.parse({})) as Record<string, unknown>;
  const changes = Object.entries(writtenRun(run))
    .filter(([key, value]) => !isDeepStrictEqual(value, usual[key]))
    .map(([key, value]) => `--set ${shownWord(`run.${key}=${String(value)}`)}`);
  const services = own.map(({ name }) => name).join(',');
  return [
    'npm run pairs --',
    `--services ${services}`,
    `--link ${named.map(({ id }) => id).join(',')}`,
    ...changes,
  ].join(' ');
}
