/** Finds a study by name or file and loads its definition. */
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import type { ExperimentDefinition } from './define.ts';
import { isTree } from './set.ts';

const shipped = new URL('../experiments/', import.meta.url);

/** Names of the shipped studies. */
export async function studyNames(): Promise<string[]> {
  return (await readdir(shipped)).filter(name => name.endsWith('.ts')).map(name => name.slice(0, -3)).sort();
}

/** Loads a shipped study by its name, or the user's own file (.ts, .js, .mjs, .json). */
export async function loadStudy(nameOrFile: string): Promise<{ study: string; definition: ExperimentDefinition }> {
  const names = await studyNames();
  if (names.includes(nameOrFile)) {
    return { study: nameOrFile, definition: await importDefinition(new URL(`${nameOrFile}.ts`, shipped), nameOrFile) };
  }
  if (/[/.]/.test(nameOrFile)) {
    const file = resolve(nameOrFile);
    if (!existsSync(file)) throw new CoexistError('usage', `there is no file ${nameOrFile}`, { hint: 'give the path of a definition, or a name from "npm run experiment -- --list"' });
    const study = file.split('/').at(-1)!.replace(/\.[a-z]+$/, '');
    return { study, definition: await importDefinition(pathToFileURL(file), nameOrFile) };
  }
  const meant = nearest(nameOrFile, names);
  throw new CoexistError('usage', `there is no study named "${nameOrFile}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`, {
    hint: `known: ${names.join(', ')}; or give the path of your own definition file`,
  });
}

async function importDefinition(url: URL, name: string): Promise<ExperimentDefinition> {
  let definition: unknown;
  try {
    definition = url.pathname.endsWith('.json') ? JSON.parse(await readFile(url, 'utf8'))
      : (await import(url.href) as { default?: unknown }).default;
  } catch (error) {
    throw new CoexistError('bad-definition', `${name} could not be loaded: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
  if (!isTree(definition)) {
    throw new CoexistError('bad-definition', `${name} has no definition`, { hint: 'end the file with "export default { title: ..., link: ..., ... }"' });
  }
  return definition as ExperimentDefinition;
}
