/** Selection of the project's top folders and of the packages that they import, for a machine without the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownRoot = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Pattern of imports of packages: `from 'zod'`, `import('ws')`, `from '@scope/name/part'`. The first group is the
 * package.
 */
const packageImport = /(?:\bfrom |\bimport\()'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/g;

/** Returns the names of a package's dependencies and optional dependencies. */
const needsOf = (folder: string): string[] => {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
};

/**
 * Returns the folder in which Node finds the package `name` for a file in `folder`; undefined if the package is not
 * installed.
 */
function packageFolder(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (at === dirname(at)) return undefined;
  }
}

/** Returns the names of the packages that the modules in a folder import. */
function importedIn(folder: string): Set<string> {
  const names = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.m?[jt]s$/.test(path)) continue;
    for (const [, name] of readFileSync(join(folder, path), 'utf8').matchAll(packageImport)) names.add(name!);
  }
  return names;
}

/**
 * Returns the folders of packages and of all their dependencies. A package that is not installed, such as one for
 * another platform, is left out.
 */
function packagesFor(names: Iterable<string>, root: string): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const folder = packageFolder(name, from);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    for (const need of needsOf(folder)) add(need, folder);
  };
  for (const name of names) add(name, root);
  return found;
}

/** Paths of files below the folder `base`. `pathOf`: returns the path below `base` of a file of the project. */
type Tree = { base: string; paths: string[]; pathOf(file: string): string };

/**
 * Returns the tree of some top folders of the project with the packages that they import. `folders`: names of the top
 * folders. `root`: the folder that contains them.
 */
export function treeOf(folders: readonly string[], root = ownRoot): Tree {
  const packages = packagesFor(
    folders.flatMap(folder => [...importedIn(join(root, folder))]),
    root,
  );
  const wanted = [join(root, 'package.json'), ...folders.map(folder => join(root, folder)), ...packages];
  // packages are in the project's folder, or next to it if the project is itself a package
  let base = resolve(root);
  const holds = (path: string) => !relative(base, path).startsWith('..');
  while (!wanted.every(holds) || basename(base) === 'node_modules') base = dirname(base);
  // a path inside another wanted path is already included
  const outer = wanted.filter(path => !wanted.some(other => other !== path && path.startsWith(`${other}${sep}`)));
  const pathOf = (file: string) => relative(base, file);
  return { base, paths: outer.map(pathOf).sort(), pathOf };
}
