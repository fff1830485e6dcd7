/**
 * Runs the missing steps of set-up and prints them. Returns at once if none is missing.
 *
 * Steps: npm packages, system packages, a browser, the native helpers, the clip. Each step checks whether it is done,
 * and names the folders of the checkout that it writes. All messages go to stderr, because stdout belongs to the
 * command.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browserStep } from './browser.mjs';
import { commandOf, onlyLooks } from './command-list.mjs';
import { root, rootly, run, SetupError } from './commands.mjs';
import { leaseFolders, runningOwner } from './leases.mjs';
import { lock } from './lock.mjs';
import { packageSteps } from './npm-packages.mjs';
import { actingFor, cannotChange, leftByRoot, personOf } from './person.mjs';
import { pipInstall } from './pip.mjs';
import { findProgram, missingPackages } from './programs.mjs';
import { pythonSteps } from './python-packages.mjs';
import { quicPrograms } from './quic-programs.mjs';

export { root, SetupError };
/**
 * Node installed from its npm archive, whose hash npm checks. The package "node" would download it by an install
 * script.
 */
export const pinnedNode = join(root, `node_modules/node-linux-${process.arch}/bin/node`);

const stampFile = join(root, '.cache/setup.json');
const clipFile = join(root, '.cache/clips/high-motion-720p60.mp4');
const clipSources = [
  'harness/media/generate-clip.ts',
  'harness/media/mp4-writer.ts',
  'harness/media/frame-number.ts',
  'node_modules/node-av/package.json',
];
/** Folders of native sources, their build outputs, and other folders whose sources they use. */
const nativeFolders = [
  {
    folder: 'shaper/native',
    outputs: ['coexist-loss', 'loss.bpf.o', 'coexist-qlog', 'queue-log.bpf.o', 'coexist-probe', 'coexist-capture'],
  },
  { folder: 'shaper/emulator/native', from: ['shaper/aqm', 'shaper/native'], outputs: ['coexist-link'] },
  { folder: 'shaper/bbr3', outputs: ['coexist-bbr3', 'bbr3.bpf.o'] },
];

function hash(...files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(join(root, file)));
  return digest.digest('hex').slice(0, 16);
}

/** Hash of the locked packages. A new version of Coexist alone does not change it. */
export function lockHash(text) {
  const lock = JSON.parse(text);
  delete lock.version;
  delete lock.packages[''].version;
  return createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 16);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(change) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ ...readStamp(), ...change }));
}

function say(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/** Runs a step and prints its time. */
function timed(what, action) {
  say(`${what} ...`);
  const start = Date.now();
  action();
  say(`${what}: done in ${Math.round((Date.now() - start) / 100) / 10} s`);
}

const { packages, developmentPackages, postgres } = packageSteps({
  root,
  run,
  timed,
  say,
  readStamp,
  writeStamp,
  lockHash,
  pinnedNode,
  SetupError,
});
/** Steps for format, lint and pack. */
export const developmentSteps = [developmentPackages];

const systemPackages = {
  isDone: () => missingPackages().length === 0,
  make() {
    const missing = missingPackages();
    installSystemPackages(missing);
    const still = missingPackages();
    if (still.length > 0) throw new SetupError(`still missing after the installation: ${still.join(', ')}`);
  },
};

function installSystemPackages(names) {
  if (findProgram('apt-get') === undefined) {
    throw new SetupError(
      `missing: ${names.join(', ')} (names of Debian's packages). Install them with this system's package manager and start again.`,
    );
  }
  timed(`installing system packages with apt-get, as root: ${names.join(' ')}`, () => {
    const install = rootly([
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-y',
      '--no-install-recommends',
      ...names,
    ]);
    if (run(install, { allowFailure: true, minutes: 30 }).status === 0) return;
    run(rootly(['apt-get', 'update'])); // the package lists may be missing or old
    run(install);
  });
}

const browser = browserStep({ run, rootly, timed, pinnedNode, installSystemPackages, SetupError });

const virtualDisplay = {
  isDone: () => findProgram('Xvfb') !== undefined,
  make: () => installSystemPackages(['xvfb']),
};

/** True if all outputs of a folder are built and no source is newer. */
function isBuilt({ folder, from = [], outputs }) {
  const built = outputs.map(name => join(root, folder, 'build', name));
  if (!built.every(file => existsSync(file))) return false;
  const oldest = Math.min(...built.map(file => statSync(file).mtimeMs));
  return [folder, ...from]
    .flatMap(each => readdirSync(join(root, each), { recursive: true }).map(name => join(root, each, name)))
    .filter(file => /\.([ch]|mk)$|\/Makefile$/.test(file))
    .every(file => statSync(file).mtimeMs <= oldest);
}

const native = {
  folders: nativeFolders.map(({ folder }) => join(root, folder, 'build')),
  isDone: () => nativeFolders.every(isBuilt),
  make: () =>
    timed('building the native helpers', () => {
      for (const one of nativeFolders) if (!isBuilt(one)) run(['make', '-B', '-C', join(root, one.folder)]);
    }),
};

const clip = {
  folders: [dirname(clipFile)],
  isDone: () => existsSync(clipFile) && readStamp().clip === hash(...clipSources),
  make() {
    // partial files are from a set-up that was killed, since this one holds the lock
    if (existsSync(dirname(clipFile)))
      for (const name of readdirSync(dirname(clipFile)))
        if (name.endsWith('.partial.mp4')) rmSync(join(dirname(clipFile), name), { force: true });
    timed('generating the clip (15 s of 720p60)', () => run([pinnedNode, 'harness/media/generate-clip.ts', clipFile]));
    writeStamp({ clip: hash(...clipSources) });
  },
};

const vmafFolder = join(root, '.cache/vmaf');
/**
 * FFmpeg with libvmaf from PyPI, found by harness/analysis/quality/vmaf-program.ts. Without it only VMAF is missing.
 */
const vmaf = {
  folders: [vmafFolder],
  isDone: () => existsSync(join(vmafFolder, 'imageio_ffmpeg')) || (process.env.COEXIST_FFMPEG ?? '') !== '',
  make: () =>
    timed('bringing an FFmpeg with libvmaf (68 MB)', () => {
      const { status, stderr } = run(
        pipInstall('python3', join(root, 'harness/analysis/quality/requirements.txt'), vmafFolder),
        { allowFailure: true, minutes: 30 },
      );
      if (status !== 0)
        say(
          'it could not be brought, so there will be no VMAF: ' +
            `${(stderr ?? '').trim().split('\n').at(-1) || 'python3 with pip is not installed'}`,
        );
    }),
};

const { http3, quic } = quicPrograms({ root, run, timed, say, SetupError });

const { pythonPackages, pythonPackagesForTests } = pythonSteps({
  root,
  run,
  timed,
  say,
  hash,
  installSystemPackages,
  SetupError,
});

/** True if a command line asks for picture quality. */
const asksForVmaf = (command, argv) =>
  command === 'setup'
    ? argv.includes('vmaf')
    : commandOf(command).takesDefinition === true && argv.some(word => word.includes('pictureQuality=true'));

export const asksForHelp = argv => argv.some(word => word === '--help' || word === '-h');

/** Parts that `npm run setup` can install in addition to those of every study. */
const extras = {
  quic: 'the QUIC tunnel (cargo from 1.88; Go from 1.24 for its second stack)',
  http3: 'the HTTP/3 server (cargo from 1.88)',
  verify: 'Python packages for "npm run verify"',
  vmaf: 'an FFmpeg with libvmaf for the quality of frames',
  development: 'npm packages of tests, lint and format, and the PostgreSQL server of the tests',
};

export const setupUsage = `npm run setup              npm packages into node_modules, system packages and a browser by apt, and what is built
                           from source into this folder. It does what is missing only; apt needs root
npm run setup -- WORD...   these, too:
${Object.entries(extras)
  .map(([word, what]) => `  ${word.padEnd(25)}${what}`)
  .join('\n')}
`;

/** Reason why `npm run setup` cannot do what the words ask for; undefined if it can. */
export function setupObstacle(words) {
  const unknown = words.find(word => !Object.hasOwn(extras, word));
  return unknown === undefined
    ? undefined
    : `setup: "${unknown}" is unknown\n  -> known here: ${Object.keys(extras).join(', ')}`;
}

/** True if a command starts its own PostgreSQL server. */
const asksForPostgres = (command, argv) =>
  command === 'setup'
    ? argv.includes('development')
    : argv.some((word, k) => word === '--queue=local' || (word === '--queue' && argv[k + 1] === 'local'));

const byName = {
  packages: [packages],
  development: [developmentPackages],
  system: [systemPackages],
  browser: [browser],
  native: [native],
  postgres: [postgres],
  python: [pythonPackages],
  'python for tests': [pythonPackagesForTests],
  quic: [quic],
  study: [systemPackages, browser, native, clip],
};

/** Steps that a command needs (command-list.mjs). */
export function commandSteps(command, argv) {
  const { brings } = commandOf(command);
  if (asksForHelp(argv) || (brings === undefined && onlyLooks(command, argv))) return [packages];
  const local = asksForPostgres(command, argv) ? [postgres] : [];
  if (brings !== undefined) return [...brings.flatMap(name => byName[name]), ...local];
  const asked = word => command === 'setup' && argv.includes(word);
  return [
    asked('development') ? developmentPackages : packages,
    ...local,
    ...byName.study,
    ...(command === 'demo' && argv.includes('--xvfb') ? [virtualDisplay] : []),
    ...(asksForVmaf(command, argv) ? [vmaf] : []),
    ...(asked('http3') ? [http3] : []),
    ...(asked('quic') ? [quic] : []),
    ...(asked('verify') ? [pythonPackages] : []),
  ];
}

const lockFile = join(root, '.cache/setup.lock');
/**
 * Time limit of the wait for another set-up or a study, ms: longer than a first set-up on a slow line, and shorter than
 * studies that run for days.
 */
const longestSetUpMs = 30 * 60e3;

/**
 * Runs the missing steps. Waits for another set-up first and then runs those that are still missing. Throws while
 * trials run here. Under sudo it has the rights of the user who called sudo if the checkout belongs to that user.
 * `file`, `waitMs` and `leases` are set by tests.
 */
export async function setUp(steps, options = {}) {
  const person = personOf(root);
  await actingFor(person, async () => {
    const first = steps.findIndex(step => !step.isDone());
    if (first === -1) return;
    try {
      const folders = steps.slice(first).flatMap(step => step.folders ?? []);
      const left = leftByRoot(person, [join(root, '.cache'), stampFile], folders);
      if (left !== undefined) throw new SetupError(left);
      await makeMissing(steps, options);
    } catch (error) {
      if (person === undefined || error.code !== 'EACCES' || error.path === undefined) throw error;
      throw new SetupError(cannotChange(person, [error.path]));
    }
  });
}

async function makeMissing(steps, { file = lockFile, waitMs = longestSetUpMs, leases = leaseFolders() }) {
  const release = await lock(file, 'exclusive', {
    waitMs,
    onWait: () => say('another set-up or a study is under way here: waiting for its end'),
  });
  if (release === undefined)
    throw new SetupError(
      `set-up would change what a study that runs here uses, and has waited ${Math.round(waitMs / 60e3)} min for its ` +
        'end\n  -> start again when it has ended',
    );
  try {
    const owner = steps.every(step => step.isDone()) ? undefined : runningOwner(root, leases);
    if (owner !== undefined)
      throw new SetupError(
        `set-up would change what process ${owner} uses, which runs trials here\n  -> wait for its end, ` +
          `or stop it with "kill -INT ${owner}", and start again`,
      );
    for (const step of steps) if (!step.isDone()) step.make();
  } finally {
    release();
  }
}

/** Prevents set-ups from changing files until the function that this resolves to is called. */
export async function keepSetUpAway({ file = lockFile, waitMs = longestSetUpMs } = {}) {
  const release = await actingFor(personOf(root), () =>
    lock(file, 'shared', { waitMs, onWait: () => say('a set-up is under way here: waiting for its end') }),
  );
  if (release === undefined)
    throw new SetupError('another set-up has not ended\n  -> see what it does, and start again');
  return release;
}
