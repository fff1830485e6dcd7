/** The documents: what is generated is current, what they name exists, and the commands in them run. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { significance } from '../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../core/stats/signed-rank.ts';
import { resolveClaims } from '../../harness/analysis/gate/claims.ts';
import { requireSound } from '../../harness/analysis/gate/gate.ts';
import { resolveThresholds } from '../../harness/analysis/gate/threshold.ts';
import type { ExperimentDefinition } from '../../harness/definition/define.ts';
import { loadStudy } from '../../harness/definition/load.ts';
import { makePlan, type Plan } from '../../harness/definition/plan.ts';
import { outdatedDocuments } from '../../harness/documents/generated.ts';
import { kindNamed } from '../../harness/studies/kinds.ts';
import { loadQuantities } from '../../harness/studies/metrics.ts';
import { resolveContestants } from '../../harness/studies/pairs/contestant.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import { readHostsFile } from '../../shaper/topology/ssh/hosts-file.ts';
import { temporaryFolder } from './harness/support/folder.ts';
import { commandsWith } from './support/commands.ts';
import { anchorsOf, blocksOf, codeOf, commandsOf, linksOf, wordsOf } from './support/markdown.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folder = temporaryFolder();
const command = commandsWith();

/** Those for people, and the READMEs of folders beside them. */
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();
const readmes = globSync(['{core,harness,server,client,shaper,reports}/**/README.md'], {
  cwd: root,
  exclude: path => path.includes('node_modules'),
}).sort();
const text = new Map([...documents, ...readmes].map(path => [path, read(path)]));

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);
const written = (file: string) =>
  [...read(file).matchAll(/['"]?([a-z][a-z-]*)['"]?: \{ type: '(?:string|boolean)'/g)].map(([, name]) => name!);
/** Options that several commands have, by what a command takes them in with. */
const sharedOptions = { '...jsonOption': 'harness/cli/json-output.ts', '...turnOptions': 'harness/cli/take-turn.ts' };
const optionsOf = (file: string) => [
  ...written(file),
  ...Object.entries(sharedOptions).flatMap(([spread, from]) => (read(file).includes(spread) ? written(from) : [])),
];
/** Commands that are files of tests/. */
const testCommands = new Map([
  ['test:fuzz', 'tests/fuzz/rounds.ts'],
  ['test:soak', 'tests/soak/soak.ts'],
]);
const commandFiles = [
  ...globSync(['harness/cli/*.ts', 'harness/studies/*/index.ts'], { cwd: root }),
  ...testCommands.values(),
];
/** Those that `npm test` reads itself. */
const runnerOptions = [...read('tests/runner/request.ts').matchAll(/valuesOf\('([a-z-]+)'\)/g)].map(([, one]) => one!);
const everyOption = [...commandFiles.flatMap(optionsOf), ...runnerOptions];
/** Of the scripts of set-up, which take words as they are. */
const setupOptions = (name: string) =>
  [...read(`harness/setup/${name}.mjs`).matchAll(/'--([a-z]+)'/g)].map(([, option]) => option!);
/** Paths of configuration.md; the parameters of plug-ins stand there without what is before them. */
const settings = codeOf(read('docs/configuration.md')).filter(code => /^[a-z][\w.[\]]*$/i.test(code));

const inDocuments = <T>(find: (markdown: string) => readonly T[]) =>
  documents.flatMap(path => find(text.get(path)!).map(found => ({ path, found })));
const tell = ({ path, found }: { path: string; found: unknown }) => `${path}: ${String(found)}`;

test('there is something to check', () => {
  assert.ok(documents.length > 8 && readmes.length > 10 && everyOption.length > 20 && settings.length > 100);
});

test('generated documents are current; if not: npm run docs', async () => {
  assert.deepEqual(
    (await outdatedDocuments()).map(({ path }) => path),
    [],
  );
});

test('every link leads to a file, and to a heading that is there', () => {
  const broken = [...text].flatMap(([path, markdown]) =>
    linksOf(markdown).flatMap(target => {
      if (/^(https?|mailto):/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, to))) return [`${path}: ${target}`];
      return anchor === undefined || (to.endsWith('.md') && anchorsOf(read(to)).includes(anchor))
        ? []
        : [`${path}: ${target}`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('every "npm run X" is a script of package.json', () => {
  const named = (markdown: string) => [...markdown.matchAll(/npm run ([a-z][\w:]*)/g)].map(([, name]) => name!);
  assert.deepEqual(
    [...text].flatMap(([path, markdown]) =>
      named(markdown)
        .filter(name => !scripts.includes(name))
        .map(name => `${path}: npm run ${name}`),
    ),
    [],
  );
});

/** `npm run pairs -- --quick` -> pairs and its words. */
function invocation(line: string): { name: string; words: string[] } | undefined {
  const [npm, run, name, dashes, ...words] = wordsOf(line);
  return npm === 'npm' && run === 'run' && name !== undefined && (dashes === undefined || dashes === '--')
    ? { name, words }
    : undefined;
}

const shell = (markdown: string) =>
  blocksOf(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(block => commandsOf(block.text));
const inLine = (markdown: string) => codeOf(markdown).filter(code => code.startsWith('npm '));

test('every option is one of its command', () => {
  const wrong = inDocuments(markdown => [...shell(markdown), ...inLine(markdown)]).flatMap(({ path, found }) => {
    const { name, words } = invocation(found) ?? { name: '', words: [] };
    const kind = `harness/studies/${name}/index.ts`;
    const isKind = existsSync(join(root, kind));
    const file = testCommands.get(name) ?? (isKind ? kind : `harness/cli/${name}.ts`);
    const shared = isKind || name === 'study' ? optionsOf('harness/cli/study-command.ts') : [];
    const own = existsSync(join(root, file))
      ? optionsOf(file)
      : ['format', 'lint'].includes(name)
        ? setupOptions(name)
        : everyOption;
    const known = [...own, ...shared, 'help'];
    return words
      .filter(word => word.startsWith('--') && !known.includes(word.slice(2)))
      .map(word => `${path}: ${found}: ${word}`);
  });
  const alone = inDocuments(codeOf).filter(
    ({ found }) => /^--[a-z]/.test(found) && !everyOption.includes(/^--([a-z-]+)/.exec(found)![1]!),
  );
  assert.deepEqual([...wrong, ...alone.map(tell)], []);
});

/** A path without what an author names: "conditions.lossy.link.loss" -> "link.loss". */
function generalPath(path: string): string {
  return path
    .replace(/^vary\./, '')
    .replace(/^conditions\.[\w-]+\.?/, '')
    .replace(/^(applications|groups|strategies|senders|bounds)\.[\w-]+/, '$1.NAME')
    .replace(/^service\.controller\./, 'service.');
}

function isSetting(path: string): boolean {
  const general = generalPath(path);
  if (general === '' || settings.includes(general)) return true;
  // what stands in configuration.md once for several: link.up.rate as link.rate, service.clip as clip
  const up = general.replace(/^link\.(up|server|flooder)\./, 'link.').replace(/^applications\.NAME\.link\./, 'link.');
  const own = /^(?:service|flood|tunnel|(?:applications|strategies|senders)\.NAME\.(?:service|tunnel))\.([\w.]+)$/.exec(
    general,
  )?.[1];
  return (
    settings.includes(up) ||
    (own !== undefined && (own === 'id' || settings.includes(own))) ||
    settings.some(known => known.startsWith(`${general}.`))
  );
}

test('every path of a definition is one of configuration.md', () => {
  const roots = /^(?:link|service|flood|tunnel|applications|conditions|vary|run|measure)\.[\w.]+$/;
  const spans = (markdown: string) => codeOf(markdown).filter(code => roots.test(code) && !code.endsWith('.jsonl'));
  const assigned = (markdown: string) =>
    [...shell(markdown), ...codeOf(markdown)].flatMap(code =>
      [...code.matchAll(/--set '?([\w.-]+)=/g)].map(([, path]) => path!).filter(path => path !== 'path'),
    );
  assert.deepEqual(
    inDocuments(markdown => [...spans(markdown), ...assigned(markdown)])
      .filter(({ found }) => !isSetting(found))
      .map(tell),
    [],
  );
});

test('every path of the repository and every variable exists', () => {
  const isPath = (code: string) => /^(?:core|harness|server|client|shaper|reports|tests|docs)\/[\w./-]*$/.test(code);
  const marks = (markdown: string) =>
    blocksOf(markdown)
      .flatMap(({ mark }) => (mark ?? '').split(/[\s,;]+/))
      .filter(isPath);
  assert.deepEqual(
    inDocuments(markdown => [...codeOf(markdown).filter(isPath), ...marks(markdown)])
      .filter(({ found }) => !existsSync(join(root, found)))
      .map(tell),
    [],
  );
  const code = globSync(['{core,harness,shaper,server}/**/*.{ts,mjs}'], { cwd: root })
    .filter(path => !path.startsWith('harness/documents/'))
    .map(read)
    .join('\n');
  const variables = inDocuments(markdown =>
    [...markdown.matchAll(/\b(?:COEXIST_\w+|CHROMIUM_PATH)\b/g)].map(([name]) => name),
  );
  assert.deepEqual(variables.filter(({ found }) => !code.includes(found)).map(tell), []);
});

test('every block of commands and JSON says whether a test runs it, or why none does', () => {
  const unmarked = inDocuments(blocksOf).filter(
    ({ found: { language, mark } }) =>
      ['sh', 'json'].includes(language) && !/^(tested|not tested here: .{10,})/.test(mark ?? ''),
  );
  assert.deepEqual(
    unmarked.map(({ path, found }) => `${path}: ${found.text.split('\n')[0]}`),
    [],
  );
});

const planned = inDocuments(markdown =>
  blocksOf(markdown)
    .filter(({ language, mark }) => language === 'sh' && mark === 'tested')
    .flatMap(block => commandsOf(block.text)),
).map(({ path, found }) => ({ line: `${path}: ${found}`, ...invocation(found)! }));

test('a command that a test runs costs nothing', () => {
  const free = ['--dry-run', '--list', '--help', '--check'];
  assert.ok(planned.length > 10);
  assert.deepEqual(
    planned.filter(({ words }) => !words.some(word => free.includes(word))).map(({ line }) => line),
    [],
  );
});

test('commands in documents run', async () => {
  for (const { line, name, words } of planned) {
    const { status, stderr } = await command(name, ...words);
    assert.equal(status, 0, `${line}\n${stderr}`);
  }
});

const json = (mark: string) =>
  inDocuments(blocksOf)
    .filter(({ found }) => found.language === 'json' && found.mark === mark)
    .map(({ path, found }) => ({ path, content: JSON.parse(found.text) as Record<string, unknown> }));

async function planOf(definition: ExperimentDefinition): Promise<Plan> {
  const plan = makePlan('documented', definition, await loadRegistries());
  resolveThresholds(plan, await loadQuantities());
  resolveClaims(plan, await loadQuantities());
  return plan;
}

test('definitions in documents, and parts of them, can be planned', async () => {
  const [whole, parts] = [json('tested: a definition'), json('tested: part of a definition')];
  assert.ok(whole.length > 0 && parts.length > 0);
  const registries = await loadRegistries();
  for (const { content } of whole) {
    const { kind, ...definition } = content as { kind?: string };
    if (kind === undefined) await planOf(content as ExperimentDefinition);
    else await (await kindNamed(kind))!.makePlan('documented', definition, registries, { values: {} });
  }
  const {
    definition: { service, flood, conditions: _, ...rest },
  } = await loadStudy('hello');
  for (const { content } of parts) {
    const short = 'applications' in content ? {} : { service, flood };
    await planOf({ ...rest, run: { window: '40s' }, ...short, ...content } as ExperimentDefinition);
  }
});

test('thresholds and claims of pairs and games in documents name what is there', async () => {
  const registries = await loadRegistries();
  for (const [id, base, mark] of [
    ['pairs', 'quick', 'tested: part of a study in pairs'],
    ['game', 'nash-two', 'tested: part of a game'],
  ] as const) {
    const kind = (await kindNamed(id))!;
    const { definition } = await kind.load(base);
    const found = json(mark);
    assert.ok(found.length > 0);
    for (const { content } of found) {
      const plan = await kind.makePlan(base, { ...definition, ...content }, registries, { values: {} });
      requireSound(await kind.gated(plan, registries));
    }
  }
});

test('a study in a document that has a baseline of its own has the repeats that differences from it take', async () => {
  const studies = json('tested: a definition').filter(({ content }) => 'baseline' in content);
  assert.ok(studies.length > 0);
  for (const { content } of studies) {
    const { run } = await planOf(content as ExperimentDefinition);
    assert.ok(run.repeats >= fewestPairs(significance), content['title'] as string);
  }
});

test('contestants in documents are contestants', async () => {
  const { services } = await loadRegistries();
  const described = json('tested: a contestant');
  assert.ok(described.length > 0);
  for (const { content } of described) {
    const file = join(folder, 'mine.json');
    writeFileSync(file, JSON.stringify(content));
    assert.equal(resolveContestants([file], services)[0]!.name, content['name']);
  }
});

test('files of hosts in documents are such files', () => {
  const described = json('tested: a hosts file');
  assert.ok(described.length > 0);
  for (const { content } of described) {
    const file = join(folder, 'hosts.json');
    writeFileSync(file, JSON.stringify(content));
    assert.ok(readHostsFile(file).length >= 3);
  }
});

// a heading and a command are one line in Markdown
const mayBeLong = /^(\||!\[|# |Command: `[^`]+`$)/;

test('the README has at most 120 lines, and lines of documents at most 120 columns but for tables, images, titles and commands', () => {
  assert.ok(text.get('README.md')!.split('\n').length <= 121);
  assert.deepEqual(
    inDocuments(markdown => markdown.split('\n').filter(line => [...line].length > 120 && !mayBeLong.test(line))).map(
      tell,
    ),
    [],
  );
});

test('the results in the README are those of the result pages', () => {
  const rowsOf = (path: string) =>
    text
      .get(path)!
      .split('\n')
      .filter(line => line.startsWith('| '));
  const cellsOf = (line: string) =>
    line.split(' | ').map(cell => cell.replaceAll('<br>', ' ').replace(/^\| | \|$/g, ''));
  const found = [
    { page: 'docs/results/bbr-flood.md', lines: 4 },
    { page: 'docs/results/bbr-flood-20ms.md', lines: 2 },
  ].flatMap(({ page, lines }) => Array.from({ length: lines }, () => rowsOf(page).map(cellsOf)));
  const shown = rowsOf('README.md').filter(line => line.includes('\\['));
  assert.equal(shown.length, found.length);
  for (const [i, line] of shown.entries()) {
    const values = cellsOf(line).filter(cell => cell.includes('\\['));
    assert.ok(values.length >= 4 && found[i]!.some(row => values.every(value => row.includes(value))), line);
  }
});
