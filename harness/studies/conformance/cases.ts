/**
 * Finds the shipped cases. Each file of cases/ is one case with the name of the file, or a table of cases whose names
 * begin with it.
 */
import { readdir } from 'node:fs/promises';
import { CoexistError } from '../../../core/errors.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { type Case, type CaseDefinition, type CaseTable, checkCase } from './case.ts';

const folder = new URL('cases/', import.meta.url);

/** Returns the shipped cases by their ids, sorted with numbers in their order. */
async function shippedCases(): Promise<Map<string, CaseDefinition>> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.ts'));
  const read = files.map(async (file): Promise<[string, CaseDefinition][]> => {
    const name = file.slice(0, -'.ts'.length);
    const { default: one } = (await import(new URL(file, folder).href)) as { default: CaseDefinition | CaseTable };
    return 'cases' in one ? Object.entries(one.cases).map(([key, own]) => [`${name}-${key}`, own]) : [[name, one]];
  });
  const all = (await Promise.all(read)).flat();
  return new Map(all.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })));
}

/**
 * Returns the cases of a study: shipped ones by their ids, or by the beginning that several ids share up to a dash, and
 * those that the definition writes itself. Throws `bad-definition` for a name that fits no case, and for an id that two
 * cases have.
 */
export async function casesOf(written: readonly (string | object)[] | undefined, where: string): Promise<Case[]> {
  const shipped = await shippedCases();
  const known = [...shipped.keys()];
  const cases = (written ?? known).flatMap((one, k): Case[] => {
    if (typeof one !== 'string') return [checkCase(one, `${where}: cases.${k}`)];
    const ids = shipped.has(one) ? [one] : known.filter(id => id.startsWith(`${one}-`));
    if (ids.length === 0) throw unknownName('bad-definition', `${where}: there is no case "${one}"`, one, known);
    return ids.map(id => checkCase({ id, ...shipped.get(id)! }, id));
  });
  const twice = cases.find(({ id }, k) => cases.findIndex(other => other.id === id) < k);
  if (twice !== undefined)
    throw new CoexistError('bad-definition', `${where}: cases: two have the id "${twice.id}"`, {
      hint: 'leave one out, or give it another id',
    });
  return cases;
}
