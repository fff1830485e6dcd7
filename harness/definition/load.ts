/** Finds a study by name or file and loads its definition. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { readNamedFile } from '../../core/system/regular-file.ts';
import { unknownName } from '../../core/text/nearest.ts';
import type { ExperimentDefinition } from './define.ts';
import { isTree } from './set.ts';

/** Shipped studies of one kind. `shipped`: URL of the folder with the studies. `command`: command that runs them. */
export type Shelf = { shipped: URL; command: string };

const experiments: Shelf = {
  shipped: new URL('../studies/experiment/shipped/', import.meta.url),
  command: 'experiment',
};

export async function studyNames({ shipped } = experiments): Promise<string[]> {
  return (await readdir(shipped))
    .filter(name => name.endsWith('.ts'))
    .map(name => name.slice(0, -3))
    .sort();
}

export type LoadedStudy<D> = {
  study: string;
  definition: D;
  /** Folder of a definition in JSON, which may name only files of this folder. Null for a definition in code. */
  folder: string | null;
  /** Kind of study that the file states. Undefined if the file does not state a kind. */
  kind?: string | undefined;
};

/**
 * Loads a shipped study by its name, or a file of the user by its path. A file .ts, .js or .mjs is executed; a file
 * .json is only read. Throws `usage` if there is no such study or file, and `bad-definition` if it cannot be loaded.
 */
export async function loadStudy<D extends object = ExperimentDefinition>(
  nameOrFile: string,
  shelf = experiments,
  { ofAnyKind = false } = {},
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
    const { kind, ...definition } = await importDefinition<{ kind?: unknown }>(pathToFileURL(file), nameOrFile);
    if (kind !== undefined && typeof kind !== 'string')
      throw new CoexistError('bad-definition', `${nameOrFile}: kind must be a text, such as "${command}"`);
    if (kind !== undefined && kind !== command && !ofAnyKind)
      throw new CoexistError('bad-definition', `${nameOrFile} is a study of kind "${kind}", not "${command}"`, {
        hint: `npm run study -- ${nameOrFile}`,
      });
    return { study, definition: definition as D, folder: isJson(file) ? dirname(file) : null, kind };
  }
  throw unknownName('usage', `there is no study named "${nameOrFile}"`, nameOrFile, names, {
    more: '; or give the path of your own definition file',
  });
}

const isJson = (path: string) => path.endsWith('.json');

async function importDefinition<D extends object>(url: URL, name: string): Promise<D> {
  let definition: unknown;
  try {
    definition = isJson(fileURLToPath(url))
      ? JSON.parse(readNamedFile(fileURLToPath(url)))
      : ((await import(url.href)) as { default?: unknown }).default;
  } catch (error) {
    throw await loadError(error, url, name);
  }
  if (!isTree(definition)) {
    throw new CoexistError('bad-definition', `${name} has no definition`, {
      hint: 'end the file with "export default { title: ..., link: ..., ... }"',
    });
  }
  return definition as D;
}

async function loadError(error: unknown, url: URL, name: string): Promise<CoexistError> {
  const [message] = messageOf(error).split('\n');
  const refused = (where: string, what: string, hint?: string) =>
    new CoexistError('bad-definition', `${name} could not be loaded: ${where}${what}`, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  if (isJson(fileURLToPath(url))) {
    const comma = error instanceof SyntaxError ? trailingComma(readNamedFile(fileURLToPath(url))) : undefined;
    return comma === undefined
      ? refused('', message!)
      : refused(`${comma}: `, 'a comma before } or ]', 'JSON has no comma before } or ]: remove it');
  }
  if (/^Cannot find package 'coexist'/.test(message!))
    return refused(
      '',
      message!,
      'a definition needs no import: remove it, and write "export default { ... }" in place of "export default defineExperiment({ ... })"',
    );
  // Node writes the file and line of a syntax error above the message, in the stack
  const place = error instanceof SyntaxError ? /^((?:file:\/\/)?\/.*):(\d+)$/m.exec(error.stack ?? '') : null;
  if (place === null) return refused('', message!);
  const [, said, line] = place;
  const file = said!.startsWith('file:') ? fileURLToPath(said!) : said;
  return refused(`${file === fileURLToPath(url) ? '' : `${file}, `}line ${line}: `, message!);
}

/**
 * Returns the place of the first comma before a closing bracket, outside of strings: "line 3, column 12". Undefined if
 * the text has no such comma.
 */
function trailingComma(json: string): string | undefined {
  for (const { 0: found, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g)) {
    if (found !== ',') continue;
    const before = json.slice(0, index).split('\n');
    return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  }
  return undefined;
}
