/** Finds the shipped cases. Each is a file of cases/ with the name of the case. */
import { readdir } from 'node:fs/promises';
import { CoexistError } from '../../../core/errors.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { type Case, type CaseDefinition, checkCase } from './case.ts';

const folder = new URL('cases/', import.meta.url);

/** Returns the ids of the shipped cases, sorted with numbers in their order. */
export async function caseNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.ts'));
  return files.map(name => name.slice(0, -'.ts'.length)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

async function shippedCase(id: string): Promise<Case> {
  const file = (await import(new URL(`${id}.ts`, folder).href)) as { default: CaseDefinition };
  return checkCase({ id, ...file.default }, id);
}

/**
 * Returns the cases of a study: shipped ones by their ids, and those that the definition writes itself. Throws
 * `bad-definition` for an id that there is not, or that two cases have.
 */
export async function casesOf(written: readonly (string | object)[] | undefined, where: string): Promise<Case[]> {
  const known = await caseNames();
  const cases = await Promise.all(
    (written ?? known).map((one, k) => {
      if (typeof one !== 'string') return checkCase(one, `${where}: cases.${k}`);
      if (known.includes(one)) return shippedCase(one);
      throw unknownName('bad-definition', `${where}: there is no case "${one}"`, one, known);
    }),
  );
  const twice = cases.find(({ id }, k) => cases.findIndex(other => other.id === id) < k);
  if (twice !== undefined)
    throw new CoexistError('bad-definition', `${where}: cases: two have the id "${twice.id}"`, {
      hint: 'leave one out, or give it another id',
    });
  return cases;
}
