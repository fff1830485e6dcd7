/** Rights of set-up under sudo, and owners of the files that it makes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { standIn } from '../../../unit/harness/support/stand-in.ts';

type Person = { uid: number; gid: number; name: string; home: string };
const from = (name: string) => import(new URL(`../../../../harness/setup/${name}`, import.meta.url).href);
const { actingFor, environmentOf, homeFolder, personOf } = (await from('person.mjs')) as {
  actingFor<T>(person: Person | undefined, action: () => T): Promise<T>;
  environmentOf(person: Person, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  homeFolder(): string;
  personOf(folder: string, environment: NodeJS.ProcessEnv): Person | undefined;
};
const { rootly, run } = (await from('commands.mjs')) as {
  rootly(argv: string[]): string[];
  run(argv: string[], options?: { cwd?: string }): { stdout: string };
};
const { lock } = (await from('lock.mjs')) as {
  lock(file: string, kind: string, options: { waitMs: number }): Promise<(() => void) | undefined>;
};

const skip = process.getuid?.() === 0 ? false : 'needs root, to act for somebody else';
const someone = 54_321;
const sudo = { SUDO_UID: String(someone), SUDO_GID: String(someone) };

function checkout(): string {
  const folder = temporaryFolder();
  chownSync(folder, someone, someone);
  return folder;
}

test('it acts for whoever called sudo, in a checkout of theirs only', { skip }, () => {
  const folder = checkout();
  assert.deepEqual(personOf(folder, sudo), {
    uid: someone,
    gid: someone,
    name: String(someone),
    home: join(folder, '.cache/home'),
  });
  for (const environment of [
    {},
    { ...sudo, SUDO_UID: '0' },
    { ...sudo, SUDO_UID: `${someone}; id` },
    { ...sudo, SUDO_UID: String(2 ** 32 - 1) },
    { ...sudo, SUDO_GID: '' },
    { ...sudo, SUDO_UID: '54322' },
  ])
    assert.equal(personOf(folder, environment), undefined, JSON.stringify(environment));
  assert.equal(personOf(temporaryFolder(), sudo), undefined, "root's checkout");
});

test('what it writes and what its programs make is theirs; these cannot become root again', { skip }, async () => {
  const folder = checkout();
  const home = homeFolder();
  const ids = 'id -u; id -ru; id -g; id -G; setpriv --reuid=0 true 2>/dev/null || echo held';
  const said = await actingFor(personOf(folder, sudo), async () => {
    mkdirSync(join(folder, '.cache'));
    writeFileSync(join(folder, '.cache/stamp'), '');
    (await lock(join(folder, '.cache/lock'), 'exclusive', { waitMs: 1000 }))?.();
    run(['sh', '-c', 'mkdir build; echo > build/program'], { cwd: folder });
    assert.equal(homeFolder(), join(folder, '.cache/home'));
    const program = run(['sh', '-c', `${ids}; echo $HOME $USER`]).stdout;
    return { program, root: run(rootly(['id', '-u'])).stdout };
  });
  assert.deepEqual(said, {
    program: `${`${someone}\n`.repeat(4)}held\n${folder}/.cache/home ${someone}\n`,
    root: '0\n',
  });
  for (const path of ['.cache', '.cache/stamp', '.cache/lock', 'build', 'build/program'])
    assert.deepEqual([statSync(join(folder, path)).uid, statSync(join(folder, path)).gid], [someone, someone], path);
  assert.deepEqual([process.geteuid!(), process.getegid!(), homeFolder()], [0, 0, home]);
});

test("root's other groups give it nothing while it acts for somebody, and are root's again afterwards", {
  skip,
}, async () => {
  const [folder, groups] = [checkout(), process.getgroups!()];
  const secret = join(temporaryFolder(), 'secret');
  writeFileSync(secret, '', { mode: 0o640 });
  chmodSync(join(secret, '..'), 0o755);
  const roots = [0, 54_400];
  process.setgroups!(roots);
  try {
    const person = personOf(folder, sudo);
    await assert.rejects(
      actingFor(person, async () => readFileSync(secret)),
      { code: 'EACCES' },
    );
    const said = await actingFor(person, () => [process.getgroups!(), run(rootly(['id', '-G'])).stdout]);
    assert.deepEqual(said, [[someone], '0 54400\n']);
    assert.deepEqual(process.getgroups!(), roots);
  } finally {
    process.setgroups!(groups);
  }
});

test("it does not write through a link of theirs to what is root's", { skip }, async () => {
  const [folder, roots] = [checkout(), temporaryFolder()];
  symlinkSync(roots, join(folder, '.cache'));
  const write = () => writeFileSync(join(folder, '.cache/stamp'), '');
  await assert.rejects(
    actingFor(personOf(folder, sudo), async () => write()),
    { code: 'EACCES' },
  );
  assert.equal(process.geteuid!(), 0);
});

test("their programs get nothing of root's home", () => {
  const person = { uid: someone, gid: someone, name: 'ann', home: '/people/ann' };
  assert.deepEqual(
    environmentOf(person, {
      HOME: '/superuser',
      USER: 'root',
      PATH: '/superuser/bin',
      npm_config_cache: '/superuser/.npm',
      XDG_CACHE_HOME: '/superuser',
      LANG: 'C',
      ROOTED: '/rooted',
    }),
    { HOME: '/people/ann', USER: 'ann', LOGNAME: 'ann', PATH: '/superuser/bin', LANG: 'C', ROOTED: '/rooted' },
  );
  const kept = { HOME: '/people/ann', XDG_CACHE_HOME: '/people/ann/cache' };
  assert.equal(environmentOf(person, kept)['XDG_CACHE_HOME'], kept.XDG_CACHE_HOME, 'where sudo has kept their home');
});

/** A checkout of the user with set-up's sources, and these files or folders (with a slash at the end). */
function checkoutWith(paths: Record<string, 'theirs' | 'roots'>): string {
  const folder = join(checkout(), "it's a checkout");
  cpSync(new URL('../../../../harness/setup', import.meta.url), join(folder, 'harness/setup'), { recursive: true });
  for (const [path, whose] of Object.entries({ './': 'theirs', ...paths })) {
    if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), '');
    if (whose === 'theirs') chownSync(join(folder, path), someone, someone);
  }
  return folder;
}

function refusal(folder: string, program: string, words: string[]): string {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'harness/setup', program), ...words], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, ...sudo },
  });
  assert.notEqual(status, 0);
  return stderr;
}

/** Refusal with the remedy as a shell reads it. */
function refusalOf(folder: string, left: string[]): string {
  const paths = left.map(path => join(folder, path));
  const words = paths.map(path => `'${path.replace("'", "'\\''")}'`).join(' ');
  return (
    `set-up has the rights of ${someone}, who called sudo, and cannot change ${paths.join(', ')}\n` +
    `  -> sudo chown -R ${someone}:${someone} ${words}\n`
  );
}

test('set-up that cannot change what an earlier one has left says so in a line, before it does anything', {
  skip,
}, () => {
  const folder = checkoutWith({
    '.cache/': 'theirs',
    '.cache/worker/': 'roots', // set-up does not use it
    'shaper/native/build/': 'roots',
    '.cache/clips/': 'theirs',
    '.cache/clips/high-motion-720p60.mp4': 'roots',
    '.cache/vmaf/': 'roots',
    '.cache/http3/': 'theirs',
    '.cache/http3/release/': 'roots',
    '.cache/quic/': 'theirs',
    '.cache/quic/noq/': 'theirs',
    '.cache/quic/noq/release/': 'roots',
    '.cache/quic/quic-go/': 'theirs',
    '.cache/quic/quic-go/coexist-tunnel-quic-go': 'roots',
    '.cache/verify/': 'theirs',
    '.cache/verify/packages/': 'roots',
  });
  const left = ['shaper/native/build', '.cache/clips'];
  assert.equal(refusal(folder, 'run.mjs', ['setup']), refusalOf(folder, left));
  left.push('.cache/vmaf', '.cache/http3', '.cache/quic', '.cache/quic/noq', '.cache/quic/quic-go', '.cache/verify');
  chownSync(join(folder, '.cache/quic'), 0, 0);
  assert.equal(refusal(folder, 'run.mjs', ['setup', 'quic', 'verify', 'vmaf', 'http3']), refusalOf(folder, left));
});

for (const tool of ['format', 'lint'])
  test(`"npm run ${tool} -- --install" says so, too`, { skip }, () => {
    const content = `.cache/${tool}/packages/`;
    const folder = checkoutWith({ '.cache/': 'theirs', [`.cache/${tool}/`]: 'theirs', [content]: 'roots' });
    assert.equal(refusal(folder, `${tool}.mjs`, ['--install']), refusalOf(folder, [`.cache/${tool}`]));
  });

for (const tool of ['format', 'lint'])
  test(`what "npm run ${tool} -- --install" brings is theirs`, { skip }, () => {
    const folder = checkout();
    cpSync(new URL('../../../../harness/setup', import.meta.url), join(folder, 'harness/setup'), { recursive: true });
    const programs = temporaryFolder();
    chmodSync(programs, 0o755);
    standIn(programs, 'python3', 'while [ "$1" != --target ]; do shift; done; mkdir -p "$2"'); // for pip
    const { status, stderr } = spawnSync(process.execPath, [join(folder, `harness/setup/${tool}.mjs`), '--install'], {
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, ...sudo, PATH: `${programs}:${process.env['PATH']}` },
    });
    assert.equal(status, 0, stderr);
    for (const path of ['.cache', `.cache/${tool}`]) assert.equal(statSync(join(folder, path)).uid, someone, path);
  });
