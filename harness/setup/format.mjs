/**
 * Formats the sources, or says which are not formatted: TypeScript, JavaScript and CSS by Biome, C by clang-format,
 * Rust by rustfmt.
 *
 *   npm run format               formats
 *   npm run format -- --check    exit status 1 where a file is not formatted
 *   npm run format -- --install  brings the clang-format that the sources are formatted with into .cache/format (2 MB)
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actingFor, leftByRoot, personOf, startFor } from './person.mjs';
import { pipInstall } from './pip.mjs';
import { findProgram } from './programs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, '.cache/format');
const clangFormat = join(packages, 'clang_format/data/bin/clang-format');

/** True where the program ended with status 0; its output goes to the terminal. */
function run(argv) {
  const { status, error } = startFor(spawnSync, argv, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) process.stderr.write(`${argv[0]} cannot be run: ${error.message}\n`);
  return status === 0;
}

/** Files of the repository with these endings. */
function files(...endings) {
  const words = ['git', 'ls-files', '-z', ...endings.map(ending => `*${ending}`)];
  const { stdout } = startFor(spawnSync, words, { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\0').filter(file => file !== '' && existsSync(join(root, file)));
}

function install() {
  const lock = join(root, 'harness/setup/requirements-format.txt');
  return run(pipInstall('python3', lock, packages, ['--upgrade']));
}

/** One line for what this machine cannot format; that is no failure. */
function skip(what, why, mend) {
  process.stdout.write(
    `not ${process.argv.includes('--check') ? 'checked' : 'formatted'}: ${what}: ${why}\n  -> ${mend}\n`,
  );
  return true;
}

function formatC(check) {
  if (!existsSync(clangFormat))
    return skip('C', 'there is no clang-format in .cache/format', 'npm run format -- --install');
  return run([clangFormat, ...(check ? ['--dry-run', '--Werror'] : ['-i']), ...files('.c', '.h')]);
}

function formatRust(check) {
  if (findProgram('rustfmt') === undefined)
    return skip('Rust', 'rustfmt is not installed', 'rustup component add rustfmt');
  return run(['rustfmt', '--edition', '2024', ...(check ? ['--check'] : []), ...files('.rs')]);
}

const unknown = process.argv.slice(2).find(word => !['--check', '--install'].includes(word));
if (unknown !== undefined) {
  process.stderr.write(`format knows no ${unknown}\n  -> npm run format [-- --check | --install]\n`);
  process.exit(1);
}
const check = process.argv.includes('--check');
const biome = [join(root, 'node_modules/.bin/biome'), 'format', ...(check ? [] : ['--write']), '.'];
const installs = process.argv.includes('--install');
const person = personOf(root);
const left = installs ? leftByRoot(person, [join(root, '.cache')], [packages]) : undefined;
if (left !== undefined) {
  process.stderr.write(`${left}\n`);
  process.exit(1);
}
const done = await actingFor(person, () => (installs ? [install()] : [run(biome), formatC(check), formatRust(check)]));
if (check && done.includes(false)) process.stderr.write('some sources are not formatted\n  -> npm run format\n');
process.exitCode = done.includes(false) ? 1 : 0;
