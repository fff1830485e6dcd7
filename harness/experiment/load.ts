/** Finds a study by name or file and loads its definition. */
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import type { ExperimentDefinition } from './define.ts';
import { isTree } from './set.ts';

/** Where studies of a kind lie, and the command that runs them. */
export type Shelf = { shipped: URL; command: string };

const experiments: Shelf = { shipped: new URL('../experiments/', import.meta.url), command: 'experiment' };

/** Names of the shipped studies. */
export async function studyNames({ shipped } = experiments): Promise<string[]> {
  return (await readdir(shipped))
    .filter(name => name.endsWith('.ts'))
    .map(name => name.slice(0, -3))
    .sort();
}

export type LoadedStudy<D> = {
  study: string;
  definition: D;
  /** Where a definition in JSON lies, which may name files of that folder only; null for code. */
  folder: string | null;
};

/** Loads a shipped study by its name, or the user's own file: .ts, .js and .mjs are code that is run, .json is data. */
export async function loadStudy<D extends object = ExperimentDefinition>(
  nameOrFile: string,
  shelf = experiments,
): Promise<LoadedStudy<D>> {
  const { shipped, command } = shelf;
  const names = await studyNames(shelf);
  if (names.includes(nameOrFile)) {
    return {
      study: nameOrFile,
      definition: await importDefinition(new URL(`${nameOrFile}.ts`, shipped), nameOrFile),
      folder: null,
    };
  }
  if (/[/.]/.test(nameOrFile)) {
    const file = resolve(nameOrFile);
    if (!existsSync(file))
      throw new CoexistError('usage', `there is no file ${nameOrFile}`, {
        hint: `give the path of a definition, or a name from "npm run ${command} -- --list"`,
      });
    const study = file
      .split('/')
      .at(-1)!
      .replace(/\.[a-z]+$/, '');
    return {
      study,
      definition: await importDefinition(pathToFileURL(file), nameOrFile),
      folder: isJson(file) ? dirname(file) : null,
    };
  }
  const meant = nearest(nameOrFile, names);
  throw new CoexistError(
    'usage',
    `there is no study named "${nameOrFile}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    {
      hint: `known: ${names.join(', ')}; or give the path of your own definition file`,
    },
  );
}

const isJson = (path: string) => path.endsWith('.json');

async function importDefinition<D extends object>(url: URL, name: string): Promise<D> {
  let definition: unknown;
  try {
    definition = isJson(url.pathname)
      ? JSON.parse(await readFile(url, 'utf8'))
      : ((await import(url.href)) as { default?: unknown }).default;
  } catch (error) {
    throw new CoexistError('bad-definition', `${name} could not be loaded: ${messageOf(error).split('\n')[0]}`, {
      cause: error,
    });
  }
  if (!isTree(definition)) {
    throw new CoexistError('bad-definition', `${name} has no definition`, {
      hint: 'end the file with "export default { title: ..., link: ..., ... }"',
    });
  }
  return definition as D;
}
