/**
 * Checks the sources: TypeScript and JavaScript by Biome, C by clang-tidy, Rust by clippy, Go by go vet, Python by
 * ruff. Exits with status 1 if there are mistakes. Prints the checks that this machine cannot run.
 *
 * npm run lint
 * npm run lint -- --install  installs the locked clang-tidy and ruff in .cache/lint
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import './closed-output.mjs';
import { refuseTakenByNpm } from './npm-options.mjs';
import { startFor } from './person.mjs';
import { findProgram } from './programs.mjs';
import { files, root, run, runTools, skip } from './source-tools.mjs';

refuseTakenByNpm('lint', process.argv.slice(2));

const packages = join(root, '.cache/lint');
const clangTidy = join(packages, 'clang_tidy/data/bin/clang-tidy');

function lintC() {
  if (!existsSync(clangTidy))
    return skip('checked', 'C', 'there is no clang-tidy in .cache/lint', 'npm run lint -- --install');
  const { stdout } = startFor(spawnSync, ['cc', '-print-multiarch'], { encoding: 'utf8' });
  const common = ['-std=gnu11', '-D_GNU_SOURCE=', `-I/usr/include/${(stdout ?? '').trim()}`];
  const check = (which, flags, checks = '') => {
    if (which.length === 0) return true;
    return run([clangTidy, '--quiet', `--checks=${checks}`, ...which, '--', ...common, ...flags]);
  };
  // tests are left out: they run under sanitizers, and misuse memory and calls on purpose
  const all = files('shaper/**/*.c').filter(file => !file.includes('/tests/'));
  const isBpf = file => file.endsWith('.bpf.c');
  const arch = { x64: 'x86', arm64: 'arm64' }[process.arch];
  return [
    check(
      all.filter(file => !isBpf(file)),
      ['-Ishaper/emulator/native'],
    ),
    // these checks are off because the analyser understands neither assembly nor the macros that read kernel fields
    check(
      all.filter(isBpf),
      ['-target', 'bpf', `-D__TARGET_ARCH_${arch}`],
      '-clang-analyzer-core.uninitialized.Assign,-bugprone-branch-clone',
    ),
  ].every(Boolean);
}

function lintRust() {
  if (findProgram('cargo-clippy') === undefined)
    return skip('checked', 'Rust', 'clippy is not installed', 'rustup component add clippy');
  const argv = ['cargo', 'clippy', '--workspace', '--locked', '--quiet', '--all-targets'];
  const workspace = ['--manifest-path', join(root, 'harness/quic/Cargo.toml')];
  // an old toolchain or a missing network does not mean that the sources have mistakes
  if (!run(['cargo', 'fetch', '--locked', '--quiet', ...workspace]))
    return skip(
      'checked',
      'Rust',
      'cargo cannot bring the crates',
      "install Rust 1.88 or newer, or look at cargo's message",
    );
  return run([...argv, ...workspace, '--target-dir', join(root, '.cache/lint/target'), '--', '-D', 'warnings']);
}

function lintGo() {
  const modules = files('**/go.mod');
  if (findProgram('go') === undefined) return skip('checked', 'Go', 'Go is not installed', 'install Go from go.dev');
  if (!modules.every(module => run(['go', 'mod', 'download'], { cwd: join(root, dirname(module)) })))
    return skip('checked', 'Go', 'go cannot bring the modules', "install Go 1.24 or newer, or look at go's message");
  return modules.map(module => run(['go', 'vet', './...'], { cwd: join(root, dirname(module)) })).every(Boolean);
}

function lintPython() {
  const ruff = join(packages, 'bin/ruff');
  if (!existsSync(ruff))
    return skip('checked', 'Python', 'there is no ruff in .cache/lint', 'npm run lint -- --install');
  return run([ruff, 'check', '--quiet', '.']);
}

const lintTypeScript = () => run([join(root, 'node_modules/.bin/biome'), 'lint', '--error-on-warnings', '.']);
const isSound = await runTools('lint', {
  options: ['--install'],
  packages,
  writes: true,
  work: () => [lintTypeScript(), lintC(), lintRust(), lintGo(), lintPython()],
});
process.exitCode = isSound ? 0 : 1;
