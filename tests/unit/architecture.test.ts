/**
 * Who may import whom, and what else holds for every file. A new folder, or a new import between folders, is a line in
 * the table (support/folders.ts). A new plug-in needs none.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newKind, folders as rows } from './support/folders.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const newKinds = globSync('harness/studies/*/index.ts', { cwd: root })
  .map(dirname)
  .filter(folder => rows[folder] === undefined);
const folders = { ...rows, ...Object.fromEntries(newKinds.map(folder => [folder, newKind])) };

/** Folders of plug-ins: one plug-in never imports from another. */
const pluginFolders = [
  'harness/services',
  'harness/studies',
  'harness/tunnels',
  'harness/analysis/metrics',
  'server/congestion',
  'shaper/aqm',
  'reports/judged',
  'reports/sections',
  'reports/pairs/sections',
  'reports/game/sections',
];

const sourceFolders = ['core', 'harness', 'server', 'client', 'shaper', 'reports'];
const sources = globSync(
  sourceFolders.map(folder => `${folder}/**/*.{ts,mjs}`),
  { cwd: root },
).sort();
const native = globSync(['shaper/**/*.{c,h}', 'tests/bbr3/*.{c,h}'], { cwd: root }).filter(
  file => !file.includes('/build/'),
);
const tests = globSync('tests/**/*.{ts,mjs}', { cwd: root }).sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const listed = (text = '') => text.split(' ').filter(word => word !== '');
/** Rooms that "core" stands for in the table: what any program could use. */
const common = ['core', 'core/system', 'core/text', 'core/schema'];
const words = (text?: string) => listed(text).flatMap(word => (word === 'core' ? common : [word]));
const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '');

type Import = { file: string; kind: 'uses' | 'knows' | 'loads' | 'packages' | 'node'; to: string };

/** The statements of a file that lead to others; `to` is a path from the root, or a package. */
function importsOf(file: string): Import[] {
  const text = withoutComments(read(file));
  const imports: Import[] = [];
  const add = (specifier: string, kind: 'uses' | 'knows') => {
    if (specifier.startsWith('.')) imports.push({ file, kind, to: normalize(join(dirname(file), specifier)) });
    else if (specifier.startsWith('node:')) imports.push({ file, kind: 'node', to: specifier });
    else
      imports.push({
        file,
        kind: 'packages',
        to: specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      });
  };
  for (const [, type, specifier] of text.matchAll(/^(?:import|export)(\s+type)?\b[^;'"]*?from\s*['"]([^'"]+)['"]/gm))
    add(specifier!, type === undefined ? 'uses' : 'knows');
  for (const [, specifier] of text.matchAll(/(?:^import|\bimport\()\s*['"]([^'"]+)['"]/gm)) add(specifier!, 'uses');
  for (const [, specifier] of text.matchAll(/new URL\('([^':]*)', import\.meta\.url\)/g)) {
    const to = normalize(join(dirname(file), specifier!));
    if (folderOf(to) !== undefined && existsSync(join(root, to))) imports.push({ file, kind: 'loads', to });
  }
  return imports;
}

/** The innermost folder of the table that a file or folder lies in. */
function folderOf(path: string): string | undefined {
  return Object.keys(folders)
    .filter(folder => `${path}/`.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
}

const imports = sources.flatMap(importsOf);
/** Ways from one folder of the table to another. */
const between = imports.flatMap(one => {
  const from = folderOf(one.file);
  const to = one.kind === 'packages' ? one.to : folderOf(one.to);
  return one.kind === 'node' || from === undefined || to === undefined || from === to
    ? []
    : [{ ...one, from, toFolder: to }];
});
const list = (found: readonly { file: string; to: string }[]) => found.map(({ file, to }) => `${file} -> ${to}`);

test('there is something to check', () => {
  assert.ok(
    sources.length > 100 && tests.length > 50 && imports.length > 300 && native.length > 0,
    `${sources.length} sources, ${tests.length} tests, ${imports.length} imports`,
  );
});

test('every file lies in a folder of the table, and every import leads to a file', () => {
  assert.deepEqual(
    sources.filter(file => folderOf(file) === undefined),
    [],
  );
  assert.deepEqual(
    list(imports.filter(one => (one.kind === 'uses' || one.kind === 'knows') && !existsSync(join(root, one.to)))),
    [],
  );
});

test('folders import only what the table allows', () => {
  const allowed = ({ from, toFolder, kind }: (typeof between)[number]) => {
    const rule = folders[from]!;
    return (
      words(kind === 'packages' ? rule.packages : kind === 'loads' ? rule.loads : rule.uses).includes(toFolder) ||
      (kind === 'knows' && words(rule.knows).includes(toFolder))
    );
  };
  assert.deepEqual(list(between.filter(one => !allowed(one))), []);
});

test('the table allows nothing that is not needed', () => {
  const needless = Object.entries(rows).flatMap(([from, rule]) =>
    (['uses', 'knows', 'loads', 'packages'] as const).flatMap(kind =>
      listed(rule[kind])
        .filter(to => {
          const rooms = to === 'core' && !from.startsWith('core') ? common : [to];
          return !between.some(one => one.from === from && one.kind === kind && rooms.includes(one.toFolder));
        })
        .map(to => `${from} ${kind} ${to}`),
    ),
  );
  assert.deepEqual(needless, []);
});

test("folders that only compute use none of Node's modules", () => {
  assert.deepEqual(list(imports.filter(one => one.kind === 'node' && folders[folderOf(one.file)!]!.pure === true)), []);
});

test('what runs and what measures do not know the harness that uses them', () => {
  const below = (file: string) => ['core', 'client', 'server', 'shaper'].some(folder => file.startsWith(`${folder}/`));
  assert.deepEqual(list(imports.filter(one => below(one.file) && one.to.startsWith('harness/'))), []);
});

test('a report knows types of the harness, and uses nothing of it: what it shows is handed to it', () => {
  assert.deepEqual(
    list(
      imports.filter(
        ({ file, kind, to }) => file.startsWith('reports/') && kind !== 'knows' && to.startsWith('harness/'),
      ),
    ),
    [],
  );
});

test('the vocabulary of studies is used by the rest of core nowhere', () => {
  const ofCore = imports.filter(one => one.file.startsWith('core/') && !one.file.startsWith('core/vocabulary/'));
  assert.deepEqual(list(ofCore.filter(one => one.to.startsWith('core/vocabulary/'))), []);
});

test('shaper and server never meet', () => {
  const meets = (a: string, b: string) =>
    imports.filter(one => one.file.startsWith(`${a}/`) && one.to.startsWith(`${b}/`));
  assert.deepEqual(list([...meets('shaper', 'server'), ...meets('server', 'shaper')]), []);
});

test('a plug-in knows its own folder and the port of its kind, and no other plug-in', () => {
  /** A folder without an index is no plug-in: it holds what several of them share. */
  const isPlugin = (folder: string) => existsSync(join(root, folder, 'index.ts'));
  const pluginFolderOf = (path: string) => {
    const kind = pluginFolders.find(candidate => path.startsWith(`${candidate}/`));
    const [plugin, rest] = kind === undefined ? [] : path.slice(kind.length + 1).split('/');
    return rest === undefined ? undefined : `${kind}/${plugin}`;
  };
  assert.deepEqual(
    list(
      imports.filter(one => {
        const [from, to] = [pluginFolderOf(one.file), pluginFolderOf(one.to)];
        return (
          (one.kind === 'uses' || one.kind === 'knows') &&
          from !== undefined &&
          to !== undefined &&
          from !== to &&
          to.startsWith(`${folderOf(one.file)}/`) &&
          isPlugin(to)
        );
      }),
    ),
    [],
  );
});

test('nothing imports itself by any path, types included', () => {
  const targets = new Map(
    sources.map(file => [
      file,
      imports.filter(one => one.file === file && (one.kind === 'uses' || one.kind === 'knows')).map(one => one.to),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of targets.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of sources) assert.equal(visit(file, [])?.join(' -> '), undefined);
});

test('browsers are started in one place, which confines them', () => {
  const starts = /\.launch(PersistentContext|Server)?\(|connectOverCDP\(/;
  const starting = sources.filter(file => starts.test(withoutComments(read(file)))).map(file => dirname(file));
  assert.deepEqual([...new Set(starting)], ['harness/trial/browser']);
});

test('a controller has no clock, no timer, no chance and no way out', () => {
  const forbidden =
    /\b(Date\.now|new Date|performance\.now|Math\.random|setTimeout|setInterval|setImmediate|node:(?:fs|net|http|dgram|child_process|worker_threads)|process\.)/;
  const controllers = sources.filter(file => /^server\/congestion\/[^/]+\//.test(file));
  assert.ok(controllers.length > 0);
  assert.deepEqual(
    controllers.flatMap(file => forbidden.exec(withoutComments(read(file)))?.[0].concat(` in ${file}`) ?? []),
    [],
  );
});

test('files are short: 400 lines of source, 500 of tests', () => {
  const tooLong = (files: readonly string[], most: number) =>
    files.filter(file => read(file).split('\n').length - 1 > most);
  assert.deepEqual([...tooLong([...sources, ...native], 400), ...tooLong(tests, 500)], []);
});

test('exports have names; definitions alone are default exports', () => {
  const byDefault = (file: string) => /^export default|\bas default\b|^export \*/m.test(withoutComments(read(file)));
  const isDefinition = (file: string) => /^harness\/studies\/\w+\/(?:shipped|cases)$/.test(dirname(file));
  assert.deepEqual(
    sources.filter(byDefault).filter(file => !isDefinition(file)),
    [],
  );
  assert.deepEqual(
    sources.filter(file => isDefinition(file) && !byDefault(file)),
    [],
  );
});

test('what is exported is imported by somebody; what only tests import is used in its own file', () => {
  const importedBy = (files: readonly string[]) => {
    const imported = new Set<string>();
    const whole = new Set<string>();
    for (const file of files) {
      const text = withoutComments(read(file));
      const at = (specifier: string) => normalize(join(dirname(file), specifier));
      const lists = /^(?:import|export)(?:\s+type)?\s*\{([^}]*)\}\s*from\s*'(\.[^']+)'/gm;
      for (const [, names, from] of text.matchAll(lists))
        for (const name of names!.split(','))
          imported.add(`${at(from!)} ${name.trim().replace(/^type |\s+as\s.*/g, '')}`);
      for (const [, from] of text.matchAll(/(?:\* as \w+ from|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g))
        whole.add(at(from!));
    }
    return { imported, whole };
  };
  const [product, ours] = [importedBy(sources), importedBy(tests)];
  // set-up's files are loaded by a path that is put together, and the package's own index by its users
  const others = sources.filter(
    file => !product.whole.has(file) && !ours.whole.has(file) && folderOf(file) !== 'harness/setup',
  );
  assert.deepEqual(
    others.flatMap(file => {
      const text = withoutComments(read(file));
      const isUsedHere = (name: string) => [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
      return (
        [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type) (\w+)/gm)]
          .map(([, name]) => name!)
          // of plug-ins, series and shipped studies: they are found by their folder
          .filter(
            name =>
              name !== 'plugin' &&
              name !== 'paperClaims' &&
              !(folderOf(file) === 'harness/record/series' && name.endsWith('Series')),
          )
          .filter(name => !product.imported.has(`${file} ${name}`))
          .filter(name => !ours.imported.has(`${file} ${name}`) || !isUsedHere(name))
          .map(name => `${file}: ${name}`)
      );
    }),
    [],
  );
});

test('every source begins with what it is', () => {
  assert.deepEqual(
    [...sources, ...native].filter(file => !/^(\/\/ SPDX|\/\*)/.test(read(file))),
    [],
  );
});

test("no file names a place on somebody's machine", () => {
  const places = new RegExp(`(?<![\\w.}*-])/(?:${['home/\\w', 'Users/\\w', 'root/', 'work/', 'mnt/\\w'].join('|')})`);
  const files = globSync(
    [
      '*.{json,md,ts}',
      ...[...sourceFolders, 'tests'].map(folder => `${folder}/**/*.{ts,mjs,js,json,md,css,html,c,h}`),
      'shaper/**/Makefile',
      'tests/bbr3/Makefile',
    ],
    { cwd: root },
  ).filter(file => statSync(join(root, file)).isFile() && file !== 'package-lock.json');
  assert.deepEqual(
    files.flatMap(file => (places.exec(read(file)) === null ? [] : [`${file}: ${places.exec(read(file))![0]}`])),
    [],
  );
});
