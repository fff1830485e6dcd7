/**
 * Makes the files of a minimal plug-in of each kind, with README and test, for `npm run new`.
 *
 * Each folder here is a kind of plug-in. The folder contains a template for each file, at the file's path in the
 * repository. ID in a path, and {{id}}, {{Type}}, {{Title}} and {{name_in_c}} in the text, stand for the plug-in's
 * name. {{order}} stands for an order number after all sections of the report.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Content of each file, by its path from the root of the repository. */
type Files = Readonly<Record<string, string>>;

const here = new URL('./', import.meta.url);
const root = new URL('../../../', import.meta.url);
const ending = '.template';

export function kindNames(): string[] {
  return readdirSync(here, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Returns an order number for a section that comes after all existing sections of the report. */
function nextOrder(): number {
  const sections = globSync('reports/sections/*/index.ts', { cwd: fileURLToPath(root) });
  const orders = sections.map(path =>
    Number(/^ {2}order: (\d+)/m.exec(readFileSync(new URL(path, root), 'utf8'))?.[1] ?? 0),
  );
  return Math.max(0, ...orders) + 1;
}

/** Returns the files of a new plug-in. `id`: lower-case letters and digits, with single dashes between them. */
export function skeletonFiles(kind: string, id: string): Files {
  const words = id.split('-');
  const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`;
  const values: Record<string, string> = {
    id,
    Type: words.map(capital).join(''),
    Title: capital(words.join(' ')),
    name_in_c: words.join('_'),
    order: String(nextOrder()),
  };
  const folder = new URL(`${kind}/`, here);
  return Object.fromEntries(
    globSync(`**/*${ending}`, { cwd: fileURLToPath(folder) })
      .sort()
      .map(path => [
        path.slice(0, -ending.length).replaceAll('ID', id),
        readFileSync(new URL(path, folder), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!),
      ]),
  );
}
