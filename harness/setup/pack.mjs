/**
 * Makes the npm package: `npm run pack [-- FOLDER]` writes coexist-VERSION.tgz into FOLDER.
 *
 * The package is put together in a temporary folder, because its layout differs from that of the checkout. It contains
 * the whole checkout (package-bin.mjs states the reason) and declarations of the types that definitions use, and has no
 * dependencies. The packages that Coexist needs are installed from its lock file at the first start, as in a checkout.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import './closed-output.mjs';
import { bringDevelopmentPackages } from './source-tools.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(root, 'node_modules/.bin/tsc');
/**
 * Files and folders of the checkout that the package contains. Tests, benches and documents are left out, because no
 * run needs them.
 */
const sources = [
  'client',
  'core',
  'harness',
  'reports',
  'server',
  'shaper',
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'README.md',
];
const built = ['build', 'target', 'node_modules', '.cache'];

function run(argv, cwd) {
  const { status, stdout, stderr, error } = spawnSync(argv[0], argv.slice(1), { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${argv.join(' ')}" failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return stdout;
}

const filesOf = folder =>
  readdirSync(folder, { recursive: true })
    .filter(name => statSync(join(folder, name)).isFile())
    .sort();

/** Writes the declarations of the types that definitions use, into the folder `types` of the package. */
function writeTypes(stage) {
  const configuration = join(stage, 'tsconfig.types.json');
  writeFileSync(
    configuration,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      include: [],
      files: ['definition', 'studies/conformance', 'studies/game', 'studies/pairs'].map(part =>
        join(root, `harness/${part}/define.ts`),
      ),
      compilerOptions: {
        noEmit: false,
        emitDeclarationOnly: true,
        declaration: true,
        rootDir: root,
        outDir: join(stage, 'types'),
        typeRoots: [join(root, 'node_modules/@types')],
      },
    }),
  );
  run([compiler, '-p', configuration]);
}

function pack(target) {
  const stage = mkdtempSync(join(tmpdir(), 'coexist-pack-'));
  try {
    const checkout = join(stage, 'checkout');
    for (const source of sources)
      cpSync(join(root, source), join(checkout, source), {
        recursive: true,
        filter: path => !built.includes(basename(path)),
      });
    cpSync(join(root, 'package-lock.json'), join(checkout, 'locked-packages.json'));
    mkdirSync(join(stage, 'bin'));
    writeFileSync(
      join(stage, 'bin/coexist.mjs'),
      `#!/usr/bin/env node\n${readFileSync(join(root, 'harness/setup/package-bin.mjs'), 'utf8')}`,
      { mode: 0o755 },
    );
    cpSync(join(root, 'harness/setup/package-index.mjs'), join(stage, 'bin/index.mjs'));
    for (const file of ['README.md', 'LICENSE']) cpSync(join(root, file), join(stage, file));
    writeTypes(stage);
    writeFileSync(
      join(stage, 'types/index.d.ts'),
      [
        "export { defineExperiment } from './harness/definition/define.ts';",
        "export type { ExperimentDefinition } from './harness/definition/define.ts';",
        "export { defineConformance } from './harness/studies/conformance/define.ts';",
        "export { defineGame } from './harness/studies/game/define.ts';",
        "export { definePairs } from './harness/studies/pairs/define.ts';",
        '',
      ].join('\n'),
    );
    const { name, version, description, license, repository, bugs, homepage, os, engines } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const digest = createHash('sha256');
    for (const file of filesOf(checkout)) digest.update(`${file}\0`).update(readFileSync(join(checkout, file)));
    const build = digest.digest('hex').slice(0, 12);
    writeFileSync(
      join(stage, 'package.json'),
      `${JSON.stringify(
        {
          name,
          version,
          build,
          description,
          license,
          repository,
          bugs,
          homepage,
          type: 'module',
          os,
          engines,
          bin: { coexist: 'bin/coexist.mjs' },
          files: ['bin', 'types', 'checkout'],
          exports: { '.': { types: './types/index.d.ts', default: './bin/index.mjs' } },
          types: './types/index.d.ts',
        },
        null,
        2,
      )}\n`,
    );
    mkdirSync(target, { recursive: true });
    const [{ filename }] = JSON.parse(
      run(['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', target], stage),
    );
    return join(target, filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

try {
  if (!(await bringDevelopmentPackages())) process.exit(2);
  process.stdout.write(`${pack(resolve(process.argv[2] ?? root))}\n`);
} catch (error) {
  process.stderr.write(`the package could not be made: ${error.message}\n`);
  process.exitCode = 2;
}
