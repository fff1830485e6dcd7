/**
 * Formats the sources, or lists the files that are not formatted: TypeScript, JavaScript and CSS by Biome, C by
 * clang-format, Rust by rustfmt, Python by ruff.
 *
 * npm run format               formats
 * npm run format -- --check    exit status 1 if a file is not formatted
 * npm run format -- --install  installs the locked clang-format and ruff in .cache/format
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import './closed-output.mjs';
import { refuseTakenByNpm } from './npm-options.mjs';
import { findProgram } from './programs.mjs';
import { files, root, run, runTools, skip } from './source-tools.mjs';

refuseTakenByNpm('format', process.argv.slice(2));

const packages = join(root, '.cache/format');
const clangFormat = join(packages, 'clang_format/data/bin/clang-format');
const check = process.argv.includes('--check');
const done = check ? 'checked' : 'formatted';

function formatC() {
  if (!existsSync(clangFormat))
    return skip(done, 'C', 'there is no clang-format in .cache/format', 'npm run format -- --install');
  return run([clangFormat, ...(check ? ['--dry-run', '--Werror'] : ['-i']), ...files('*.c', '*.h')]);
}

function formatRust() {
  if (findProgram('rustfmt') === undefined)
    return skip(done, 'Rust', 'rustfmt is not installed', 'rustup component add rustfmt');
  return run(['rustfmt', '--edition', '2024', ...(check ? ['--check'] : []), ...files('*.rs')]);
}

function formatPython() {
  const ruff = join(packages, 'bin/ruff');
  if (!existsSync(ruff))
    return skip(done, 'Python', 'there is no ruff in .cache/format', 'npm run format -- --install');
  return run([ruff, 'format', '--quiet', ...(check ? ['--check'] : []), '.']);
}

/** Command line of Biome, which also sorts imports and merges those from the same module. */
const biome = [
  join(root, 'node_modules/.bin/biome'),
  'check',
  '--linter-enabled=false',
  ...(check ? [] : ['--write']),
  '.',
];
const isFormatted = await runTools('format', {
  options: ['--check', '--install'],
  packages,
  writes: false,
  work: () => {
    const found = [run(biome), formatC(), formatRust(), formatPython()];
    if (check && found.includes(false)) process.stderr.write('some sources are not formatted\n  -> npm run format\n');
    return found;
  },
});
process.exitCode = isFormatted ? 0 : 1;
