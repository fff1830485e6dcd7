import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';
import { http3Program } from '../../../../harness/services/shared/http3-program.ts';
import { findProgram, hasChromiumPackage, missingPackages, programs } from '../../../../harness/setup/programs.mjs';
import { tunnelPrograms } from '../../../../harness/tunnels/quic/programs.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { standIn } from '../../../unit/harness/support/stand-in.ts';

// set-up is plain JavaScript, because it runs before TypeScript can
const setup = new URL('../../../../harness/setup/', import.meta.url);
const { commandSteps, lockHash } = (await import(new URL('setup.mjs', setup).href)) as {
  commandSteps(command: string, argv: string[]): object[];
  lockHash(text: string): string;
};
const { pipInstall } = (await import(new URL('pip.mjs', setup).href)) as {
  pipInstall(python: string, lock: string, target: string): string[];
};
const { quicPrograms } = (await import(new URL('quic-programs.mjs', setup).href)) as {
  quicPrograms(from: object): { quic: { isDone(): boolean; make(): void } };
};

const folder = temporaryFolder();

test('a program is an executable file in the PATH', () => {
  const path = join(folder, 'coexist-test-program');
  writeFileSync(path, '');
  mkdirSync(join(folder, 'coexist-test-folder'));
  process.env['PATH'] = `${folder}:${process.env['PATH']}`;
  assert.equal(findProgram('coexist-test-program'), undefined);
  chmodSync(path, 0o755);
  assert.equal(findProgram('coexist-test-program'), path);
  assert.equal(findProgram('coexist-test-folder'), undefined);
  assert.equal(findProgram('no-such-program-here'), undefined);
});

test('packages are named once', () => {
  const missing = missingPackages();
  assert.equal(new Set(missing).size, missing.length);
  assert.ok(Object.values(programs).every(name => /^[a-z0-9-]+$/.test(name)));
});

test("Debian's Chromium is installed by its package; where the package would bring the snap, it is Playwright's", () => {
  assert.ok(hasChromiumPackage('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nID=debian\n'));
  for (const text of ['NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n', 'ID=linuxmint\n', ''])
    assert.ok(!hasChromiumPackage(text), text);
});

test('commands that look, list, clean or simulate need only the packages', () => {
  const all = commandSteps('experiment', []);
  assert.ok(all.length > 1);
  for (const [command, argv] of [
    ['report', ['x']],
    ['doctor', []],
    ['clean', []],
    ['experiment', ['--list']],
    ['experiment', ['x', '--dry-run']],
    ['experiment', ['-h']],
  ] as const) {
    assert.deepEqual(commandSteps(command, [...argv]), all.slice(0, 1), `${command} ${argv.join(' ')}`);
  }
  assert.deepEqual(commandSteps('setup', []), all);
});

test('what computes VMAF is brought where it is asked for, and nowhere else', () => {
  const more = (command: string, argv: string[]) =>
    commandSteps(command, argv).length - commandSteps(command, []).length;
  assert.equal(more('setup', ['vmaf']), 1);
  assert.equal(more('experiment', ['hello', '--set', 'service.pictureQuality=true']), 1);
  assert.equal(more('experiment', ['hello', '--set', 'service.pictureQuality=false']), 0);
  assert.equal(more('test', ['unit']), 0);
});

test('the HTTP/3 server is built where it is asked for, to where the product looks for it', () => {
  const [step, ...more] = commandSteps('setup', ['http3']).slice(commandSteps('setup', []).length) as {
    program: string;
    make(): void;
  }[];
  assert.equal(step!.program, http3Program);
  assert.deepEqual(more, []);
  assert.equal(
    commandSteps('experiment', ['x', '--set', 'service.protocol=h3']).length,
    commandSteps('experiment', []).length,
  );
  const { PATH, HOME } = process.env;
  Object.assign(process.env, { PATH: folder, HOME: folder });
  try {
    assert.throws(
      () => step!.make(),
      /built with Rust's cargo, 1\.88 or newer, which is not installed\n {2}-> .*rustup\.rs/,
    );
    standIn(folder, 'cargo', 'echo "cargo 1.63.0 (fd9c4297c 2022-07-01)"');
    assert.throws(() => step!.make(), /which is 1\.63 here\n/);
  } finally {
    Object.assign(process.env, { PATH, HOME });
  }
});

test('a new version of Coexist itself asks for no new packages, a new version of a package does', () => {
  const lock = (own: string, zod: string) =>
    JSON.stringify({
      name: 'coexist',
      version: own,
      packages: { '': { version: own, dependencies: { zod } }, 'node_modules/zod': { version: zod } },
    });
  assert.equal(lockHash(lock('1.0.0', '4.0.0')), lockHash(lock('1.0.1', '4.0.0')));
  assert.notEqual(lockHash(lock('1.0.0', '4.0.0')), lockHash(lock('1.0.0', '4.0.1')));
});

test('what recomputes a run is brought for verify and where it is asked for; a Python that cannot have it is named with the mend', () => {
  const [packages, step, ...more] = commandSteps('verify', ['x']) as { isDone(): boolean; make(): void }[];
  assert.equal(packages, commandSteps('report', ['x'])[0]);
  assert.deepEqual(more, []);
  assert.equal(commandSteps('setup', ['verify']).at(-1), step);
  assert.ok(!commandSteps('test', []).includes(step!));
  const { PATH } = process.env;
  try {
    process.env['COEXIST_PYTHON'] = join(folder, 'no-such-python');
    assert.equal(step!.isDone(), false);
    assert.throws(
      () => step!.make(),
      /no Python from 3\.11 to 3\.14 was found .*no-such-python.*\n {2}-> install python3 and python3-pip, or name another Python with COEXIST_PYTHON/,
    );
    standIn(folder, 'old-python', 'echo "3 9 True"');
    process.env['COEXIST_PYTHON'] = join(folder, 'old-python');
    assert.throws(() => step!.make(), /no Python from 3\.11 to 3\.14 was found/);
    standIn(folder, 'bare-python', 'echo "3 12 False"');
    process.env['COEXIST_PYTHON'] = join(folder, 'bare-python');
    assert.throws(() => step!.make(), /bare-python has no pip/);
    delete process.env['COEXIST_PYTHON'];
    process.env['PATH'] = folder;
    standIn(folder, 'python3', 'echo "3 9 True"');
    standIn(folder, 'python3.12', 'echo "3 12 False"');
    assert.throws(() => step!.make(), /python3\.12 has no pip/); // the newer Python was found besides the old one
  } finally {
    delete process.env['COEXIST_PYTHON'];
    process.env['PATH'] = PATH;
  }
});

test('the QUIC tunnel is built where it is asked for, to where the product looks for it', () => {
  const [step, ...more] = commandSteps('setup', ['quic']).slice(commandSteps('setup', []).length) as {
    programs: Record<string, string>;
  }[];
  assert.deepEqual(step!.programs, tunnelPrograms);
  assert.deepEqual(more, []);
});

test('each stack of the tunnel is built that there is a toolchain for, and the others are named', () => {
  const root = join(folder, 'checkout');
  for (const source of [
    'harness/quic',
    'harness/services/http3-server',
    'harness/tunnels/quic/noq',
    'harness/tunnels/quic/quic-go',
  ])
    mkdirSync(join(root, source), { recursive: true });
  const [said, ran]: [string[], string[]] = [[], []];
  class Refusal extends Error {}
  const run = (argv: string[]) => {
    if (['build', 'fetch'].includes(argv[1]!)) ran.push(argv.slice(1).join(' '));
    return spawnSync(argv[0]!, argv.slice(1), { encoding: 'utf8' });
  };
  const { quic } = quicPrograms({
    root,
    run,
    timed: (_: string, make: () => void) => make(),
    say: (text: string) => said.push(text),
    SetupError: Refusal,
  });
  const bare = join(folder, 'toolchains');
  mkdirSync(bare);
  const { PATH, HOME } = process.env;
  Object.assign(process.env, { PATH: `${bare}:/usr/bin:/bin`, HOME: bare });
  try {
    standIn(bare, 'cargo', 'echo "cargo 1.87.0 (fd9c4297c 2025-07-01)"');
    standIn(bare, 'go', 'echo "go version go1.23.4 linux/amd64"');
    assert.throws(
      () => quic.make(),
      (error: Error) => {
        assert.match(
          error.message,
          /^the QUIC tunnel on noq is built with Rust's cargo, 1\.88 or newer, which is 1\.87 here\n {2}-> .*rustup\.rs/,
        );
        assert.match(
          error.message,
          /\nthe QUIC tunnel on quic-go is built with Go, 1\.24 or newer, which is 1\.23 here\n {2}-> .*go\.dev/,
        );
        return error instanceof Refusal;
      },
    );
    assert.deepEqual([said, ran], [[], []]);
    standIn(bare, 'go', 'echo "go version go1.24.0 linux/amd64"');
    quic.make();
    assert.match(said.join(), /^the QUIC tunnel on noq is built with Rust's cargo/);
    assert.deepEqual(ran, [
      `build -trimpath -buildmode=pie -ldflags=-bindnow -o ${join(root, '.cache/quic/quic-go/coexist-tunnel-quic-go')} .`,
    ]);
    assert.equal(quic.isDone(), false);
    ran.length = 0;
    standIn(bare, 'cargo', 'echo "cargo 1.88.0 (873a06493 2025-05-10)"');
    quic.make();
    assert.match(ran[0]!, /^fetch --locked .*noq\/Cargo\.toml$/, 'its tests are built without a network');
    assert.match(ran[1]!, /^build --release --locked /);
  } finally {
    Object.assign(process.env, { PATH, HOME });
  }
});

type Locked = {
  version: string;
  integrity?: string;
  os?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};

test('each package that can be installed here has its hash in the lock file, and no install script is run', () => {
  const canBeInstalled = ({ os = ['linux'], libc = ['glibc'] }: Locked) =>
    os.includes('linux') && libc.includes('glibc');
  const bare = Object.entries(packages)
    .filter(([path, one]) => path !== '' && canBeInstalled(one) && !one.integrity?.startsWith('sha512-'))
    .map(([path]) => path);
  assert.deepEqual(bare, []);
  assert.match(readFileSync(new URL('../../../../.npmrc', import.meta.url), 'utf8'), /^ignore-scripts=true$/m);
});

test('Python packages are wheels that have their hash in a lock file', () => {
  const words = pipInstall('python3', 'lock.txt', 'folder');
  assert.ok(words.includes('--require-hashes') && words[words.indexOf('--only-binary') + 1] === ':all:');
  for (const lock of [
    'harness/setup/requirements-format.txt',
    'harness/analysis/quality/requirements.txt',
    'harness/setup/requirements-lint.txt',
    'harness/analysis/verify/requirements.txt',
  ]) {
    const lines = readFileSync(join(projectRoot, lock), 'utf8').replaceAll('\\\n', '').split('\n');
    const named = lines.filter(line => line !== '' && !line.startsWith('#'));
    assert.ok(named.length > 0);
    for (const line of named) assert.match(line, /^[\w.-]+==[\d.]+( +--hash=sha256:[0-9a-f]{64})+$/, lock);
  }
});

test('everything that a locked package names is locked, for every platform: npm ci refuses what is not', () => {
  const isThere = (path: string, name: string): boolean =>
    `${path === '' ? '' : `${path}/`}node_modules/${name}` in packages ||
    (path !== '' && isThere(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name));
  const missing = Object.entries(packages).flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter(name => !isThere(path, name))
      .map(name => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
