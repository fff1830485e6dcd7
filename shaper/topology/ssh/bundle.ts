/**
 * Bundles a module and all its imports in one script, for a machine that has only Node.
 *
 * The bundler supports the forms that this project uses: named exports of functions, classes and constants, and named
 * imports from own files and from Node. Each file becomes a function, so that equal names in different files do not
 * collide.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const importForm = /^import \{([^}]*)\} from '([^']+)';$/gm;
const exportForm = /^export +(?=(?:async )?(?:function\*?|class|const) (\w+))/gm;

const namesOf = (list: string) =>
  list
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
    .map(name => {
      if (!/^\w+$/.test(name)) throw new Error(`a bundle cannot hold the name "${name}"`);
      return name;
    });

/**
 * Returns the text of a module that defines everything from `entry` and its imports, and then calls the exported
 * function `start` with the arguments `call`.
 */
export function bundle(entry: URL, start: string, call: string): string {
  const { files, last } = filesOf(entry);
  return `${files}\nawait ${last}.${start}(${call});\n`;
}

/** Returns the text of the bundle of a program: a module that exports no values and does its work when it is loaded. */
export function bundleProgram(entry: URL): string {
  return filesOf(entry, true).files;
}

/**
 * Returns the text of all files, and the name of the last one. `isProgram`: `entry` stays at the top level, where
 * `await` is allowed, and not inside a function.
 */
function filesOf(entry: URL, isProgram = false): { files: string; last: string } {
  const nodeModules = new Map<string, string>();
  const done = new Map<string, string>();
  const texts: string[] = [];

  const add = (file: URL): string => {
    const known = done.get(file.href);
    if (known !== undefined) return known;
    const exported: string[] = [];
    const text = stripTypeScriptTypes(readFileSync(file, 'utf8'))
      .replace(
        importForm,
        (_, list: string, from: string) => `const { ${namesOf(list).join(', ')} } = ${nameOf(from, file)};`,
      )
      .replace(exportForm, (_, name: string) => {
        exported.push(name);
        return '';
      });
    const other = /^(?:import|export)\b.*|\bimport\.meta\b/m.exec(text);
    if (other !== null) throw new Error(`${fileURLToPath(file)}: a bundle cannot hold "${other[0]}"`);
    const name = `file${done.size}`;
    done.set(file.href, name);
    const isEntry = isProgram && file.href === entry.href;
    if (isEntry && exported.length > 0)
      throw new Error(`${fileURLToPath(file)}: a program that exports ${exported[0]}`);
    texts.push(
      isEntry
        ? `await (async () => {\n${text}\n})();`
        : `const ${name} = (() => {\n${text}\nreturn { ${exported.join(', ')} };\n})();`,
    );
    return name;
  };

  const nameOf = (from: string, file: URL): string => {
    if (from.startsWith('.')) return add(new URL(from, file));
    if (!from.startsWith('node:')) throw new Error(`${fileURLToPath(file)}: a bundle cannot hold the package ${from}`);
    const name = nodeModules.get(from) ?? `node${nodeModules.size}`;
    nodeModules.set(from, name);
    return name;
  };

  const last = add(entry);
  const imports = [...nodeModules].map(([from, name]) => `import * as ${name} from '${from}';`);
  return { files: [...imports, ...texts].join('\n'), last };
}
