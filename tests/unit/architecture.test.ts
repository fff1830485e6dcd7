/**
 * Who may import whom, and what else holds for every file. A new folder, or a new import between folders, is a line in
 * the table.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

type Rule = {
  /** Folders whose code it uses. */
  uses?: string;
  /** Folders of which it knows the types only. */
  knows?: string;
  /** Folders of plug-ins that it loads, and programs that it starts. */
  loads?: string;
  /** Packages. */
  packages?: string;
  /** It computes and does nothing else: Node's modules are not for it. */
  pure?: true;
};

const folders: Record<string, Rule> = {
  core: { packages: 'zod' },
  'harness/experiment': { uses: 'core', loads: 'harness/experiments' },
  'harness/experiments': { uses: 'harness/experiment', pure: true },
  'harness/planner': { uses: 'core harness/experiment', knows: 'harness/record', pure: true },
  'harness/record/schema': { uses: 'core', pure: true },
  'harness/record/series': {
    uses: 'core harness/record/schema',
    knows: 'client harness/record server/control server/session shaper/bbr3 shaper/queue-log',
    pure: true,
  },
  'harness/record': {
    uses: 'core harness/experiment harness/record/schema harness/record/series',
    knows: 'shaper/bbr3 shaper/calibrate shaper/precedence shaper/queue-log shaper/topology',
    loads: 'harness/record/series',
  },
  'core/stats': { uses: 'core', pure: true },
  'harness/derive': {
    uses: 'core core/stats harness/record/series',
    knows: 'harness/record harness/record/series',
    pure: true,
  },
  'harness/metrics': {
    uses: 'core harness/derive core/stats harness/record/series',
    knows: 'harness/experiment harness/record harness/record/series',
    pure: true,
  },
  'harness/summary': {
    uses: 'core harness/experiment core/stats',
    knows: 'harness/metrics harness/record',
    pure: true,
  },
  'harness/media': { uses: 'core server/media', packages: 'node-av' },
  'harness/quality': {
    uses: 'core harness/derive harness/media server/media harness/record/series',
    knows: 'harness/experiment harness/record harness/record/series harness/record/schema',
    loads: 'harness/media',
  },
  'harness/gate': { uses: 'core core/stats harness/experiment', knows: 'harness/metrics harness/summary', pure: true },
  'harness/compare': {
    uses: 'core core/stats',
    knows: 'harness/experiment harness/metrics harness/record harness/summary',
    pure: true,
  },
  'harness/interchange': {
    uses: 'core core/stats harness/derive harness/record harness/record/series harness/record/schema',
    knows: 'harness/experiment harness/metrics harness/summary server/congestion harness/record/schema',
    loads: 'server/congestion',
    packages: 'hyparquet-writer',
  },
  'harness/verify': { uses: 'core' },
  'harness/collect': { uses: 'core', knows: 'harness/record/series' },
  'harness/browser': { uses: 'core harness/setup', packages: 'playwright-core' },
  'harness/services': {
    uses: 'core harness/browser harness/collect server/control server/media server/pages shaper/bbr3 harness/record/series',
    knows: 'harness/record client server/congestion harness/record/series harness/record/schema',
    loads: 'harness/media server server/congestion server/media',
  },
  'harness/tunnels': { uses: 'core', knows: 'harness/record/series' },
  'harness/runner': {
    uses:
      'core harness/collect harness/derive harness/experiment harness/record shaper/backend ' +
      'shaper/bbr3 shaper/calibrate shaper/precedence shaper/queue-log shaper/recording shaper/topology harness/record/series harness/record/schema',
    knows:
      'harness/planner harness/record harness/services harness/tunnels shaper/aqm harness/record/series harness/record/schema',
    loads: 'harness/services harness/tunnels shaper/aqm',
  },
  'harness/queue': {
    uses: 'core harness/experiment harness/record',
    knows: 'harness/planner harness/record',
    packages: 'pg pg-boss',
  },
  'harness/queue/machine': {
    uses: 'core harness/derive harness/experiment harness/planner harness/queue harness/record harness/runner shaper/backend',
    knows: 'harness/queue harness/record',
  },
  'harness/pairs/analysis': { uses: 'core/stats', pure: true },
  'harness/pairs': {
    uses: 'core harness/derive harness/pairs/analysis harness/planner harness/record core/stats harness/record/series',
    knows: 'harness/experiment harness/metrics harness/planner harness/record harness/services',
  },
  'harness/pairs/machine': { uses: 'core harness/pairs harness/runner shaper/topology', knows: 'harness/pairs' },
  'harness/games': {
    uses: 'core core/stats harness/experiment harness/games/analysis harness/gate harness/planner harness/record',
    knows: 'harness/metrics harness/record harness/services',
    loads: 'harness/games/shipped',
    pure: true,
  },
  'harness/games/machine': { uses: 'harness/games harness/games/analysis harness/runner' },
  'harness/games/shipped': { uses: 'harness/games', pure: true },
  'harness/games/analysis': { uses: 'core/stats', pure: true },
  'harness/documents': {
    uses: 'core harness/experiment harness/games harness/pairs',
    knows: 'harness/metrics',
    loads: 'harness/metrics harness/services harness/tunnels server/congestion shaper/aqm',
  },
  'harness/skeletons': {},
  'harness/demo': {
    uses:
      'core harness/browser harness/collect harness/derive harness/experiment harness/services server/pages ' +
      'shaper/backend shaper/topology harness/record/series harness/record/schema',
    knows: 'harness/runner harness/services client',
    packages: 'ws',
  },
  'harness/cli': {
    uses:
      'core harness/compare harness/derive harness/demo harness/documents harness/skeletons harness/experiment ' +
      'harness/games harness/games/analysis harness/games/machine harness/gate harness/interchange harness/pairs ' +
      'harness/pairs/machine harness/planner harness/quality harness/queue harness/queue/machine harness/record ' +
      'harness/runner harness/summary harness/verify harness/browser harness/services harness/tunnels ' +
      'shaper/doctor shaper/precedence shaper/topology server/media reports reports/games reports/pairs reports/results',
    knows: 'harness/metrics',
    loads: 'harness/metrics',
    packages: 'node-av',
  },
  'harness/setup': {},
  harness: { uses: 'harness/cli', pure: true },

  'server/congestion': { uses: 'core', pure: true },
  'server/rtp': { pure: true },
  'server/pacing': { knows: 'server/congestion', pure: true },
  'server/media': { uses: 'core', packages: 'node-av' },
  'server/control': { uses: 'core server/media', pure: true },
  'server/transport': { uses: 'core server/rtp', knows: 'server/congestion server/pacing', packages: 'werift' },
  'server/pages': { loads: 'client', packages: 'express' },
  'server/signaling': { uses: 'core server/pages', packages: 'ws' },
  'server/session': {
    uses: 'core server/control server/media server/pacing server/rtp server/transport',
    knows: 'server/congestion',
  },
  server: {
    uses: 'core server/control server/media server/session server/signaling server/transport',
    knows: 'server/congestion',
    loads: 'server/congestion',
    packages: 'node-av',
  },

  client: { packages: 'hls.js dashjs', pure: true },

  'shaper/precedence': { uses: 'core' },
  'shaper/topology': { uses: 'core shaper/precedence' },
  'shaper/bbr3': { uses: 'core' },
  'shaper/aqm': { uses: 'core', knows: 'shaper/native-link' },
  'shaper/tc': { uses: 'core shaper/topology' },
  'shaper/calibrate': { uses: 'core core/stats' },
  'shaper/recording': { uses: 'core' },
  'shaper/queue-log': { uses: 'core core/stats shaper/recording' },
  'shaper/native-link': { uses: 'core' },
  'shaper/line': { uses: 'core shaper/aqm shaper/native-link', knows: 'shaper/topology' },
  'shaper/backend': {
    uses: 'core shaper/aqm shaper/line shaper/native-link shaper/queue-log shaper/tc',
    knows: 'shaper/calibrate shaper/topology',
  },
  'shaper/doctor': {
    uses: 'core core/stats shaper/aqm shaper/backend shaper/bbr3 shaper/topology',
    loads: 'shaper/aqm',
  },

  'reports/page': { uses: 'core reports', knows: 'reports/charts' },
  'reports/charts': {
    uses: 'core core/stats reports',
    knows: 'harness/summary',
    packages: '@observablehq/plot',
  },
  'reports/pairs': {
    uses: 'core reports reports/charts reports/page',
    knows: 'harness/pairs harness/pairs/analysis harness/record',
  },
  'reports/results': { uses: 'reports', knows: 'harness/record', loads: 'reports/page' },
  'reports/games': {
    uses: 'core reports reports/charts reports/page',
    knows: 'harness/games harness/record',
    packages: '@observablehq/plot',
  },
  'reports/sections': {
    uses: 'core core/stats reports reports/charts',
    knows: 'harness/derive harness/experiment harness/gate harness/interchange harness/record/series harness/summary',
  },
  reports: {
    uses: 'core core/stats reports/charts reports/page',
    knows:
      'harness/compare harness/derive harness/experiment harness/gate harness/interchange harness/metrics harness/record harness/summary',
    loads: 'reports/sections',
    packages: 'happy-dom',
  },
};

/** Folders of plug-ins: one plug-in never imports from another. */
const pluginFolders = [
  'harness/services',
  'harness/tunnels',
  'harness/metrics',
  'server/congestion',
  'shaper/aqm',
  'reports/sections',
];

const sourceFolders = ['core', 'harness', 'server', 'client', 'shaper', 'reports'];
const sources = globSync(
  sourceFolders.map(folder => `${folder}/**/*.{ts,mjs}`),
  { cwd: root },
).sort();
const native = globSync(['shaper/native/**/*.{c,h}', 'shaper/bbr3/*.{c,h}', 'tests/bbr3/*.{c,h}'], { cwd: root });
const tests = globSync('tests/**/*.{ts,mjs}', { cwd: root }).sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const words = (text = '') => text.split(' ').filter(word => word !== '');
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
  const needless = Object.entries(folders).flatMap(([from, rule]) =>
    (['uses', 'knows', 'loads', 'packages'] as const).flatMap(kind =>
      words(rule[kind])
        .filter(to => !between.some(one => one.from === from && one.kind === kind && one.toFolder === to))
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
  assert.deepEqual([...new Set(starting)], ['harness/browser']);
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
  const isDefinition = (file: string) => ['harness/experiments', 'harness/games/shipped'].includes(folderOf(file)!);
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
          // of plug-ins, and of series: they are found by their folder
          .filter(name => name !== 'plugin' && !(folderOf(file) === 'harness/record/series' && name.endsWith('Series')))
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
      'shaper/{native,bbr3}/Makefile',
      'tests/bbr3/Makefile',
    ],
    { cwd: root },
  ).filter(file => statSync(join(root, file)).isFile() && file !== 'package-lock.json');
  assert.deepEqual(
    files.flatMap(file => (places.exec(read(file)) === null ? [] : [`${file}: ${places.exec(read(file))![0]}`])),
    [],
  );
});
