/**
 * Set-up: runs the steps that are not done yet, and prints them.
 *
 * The steps install npm packages, system packages and a browser, build the native helpers, and make the clip. Each step
 * checks whether it is done, and names the folders of the checkout that it writes. All messages go to stderr, because
 * stdout belongs to the command.
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
 * Path of the pinned Node. It comes from an npm package that contains Node and whose hash npm checks. The package
 * "node" is not used, because it would download Node by an install script.
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
/**
 * Folders of native programs. `outputs`: files that are built in the folder `build`. `from`: other folders whose
 * sources they use.
 */
const nativeFolders = [
  {
    folder: 'shaper/native',
    outputs: [
      'coexist-loss',
      'loss.bpf.o',
      'coexist-qlog',
      'queue-log.bpf.o',
      'coexist-marker',
      'marker.bpf.o',
      'coexist-dctcp',
      'dctcp.bpf.o',
      'coexist-probe',
      'coexist-capture',
    ],
  },
  { folder: 'shaper/emulator/native', from: ['shaper/aqm', 'shaper/native'], outputs: ['coexist-link'] },
  { folder: 'shaper/bbr3', outputs: ['coexist-bbr3', 'bbr3.bpf.o'] },
];

function hash(...files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(join(root, file)));
  return digest.digest('hex').slice(0, 16);
}

/** Returns a hash of the locked packages. It stays the same if only the version of Coexist changes. */
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

/** Runs `action` and prints the time that it took. */
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
/** Steps that format, lint and pack need. */
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
    run(rootly(['apt-get', 'update'])); // the lists of packages may be missing or old
    run(install);
  });
}

const browser = browserStep({ run, rootly, timed, pinnedNode, installSystemPackages, SetupError });

const virtualDisplay = {
  isDone: () => findProgram('Xvfb') !== undefined,
  make: () => installSystemPackages(['xvfb']),
};

/** Returns true if all outputs of a folder are built and no source is newer than they are. */
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
    // no other set-up runs, because this one holds the lock; partial files come from a set-up that was killed
    if (existsSync(dirname(clipFile)))
      for (const name of readdirSync(dirname(clipFile)))
        if (name.endsWith('.partial.mp4')) rmSync(join(dirname(clipFile), name), { force: true });
    timed('generating the clip (15 s of 720p60)', () => run([pinnedNode, 'harness/media/generate-clip.ts', clipFile]));
    writeStamp({ clip: hash(...clipSources) });
  },
};

const vmafFolder = join(root, '.cache/vmaf');
/**
 * Step that installs FFmpeg with libvmaf from PyPI, for harness/analysis/quality/vmaf-program.ts. If it fails, only
 * VMAF is missing.
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

/** Returns true if the command line asks for picture quality. */
const asksForVmaf = (command, argv) =>
  command === 'setup'
    ? argv.includes('vmaf')
    : commandOf(command).takesDefinition === true && argv.some(word => word.includes('pictureQuality=true'));

export const asksForHelp = argv => argv.some(word => word === '--help' || word === '-h');

/** Parts that `npm run setup` installs only if they are named. The parts for studies are always installed. */
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

/** Returns a message that says which word of `npm run setup` is unknown. Undefined if all words are known. */
export function setupObstacle(words) {
  const unknown = words.find(word => !Object.hasOwn(extras, word));
  return unknown === undefined
    ? undefined
    : `setup: "${unknown}" is unknown\n  -> known here: ${Object.keys(extras).join(', ')}`;
}

/** Returns true if the command starts a PostgreSQL server. */
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

/** Returns the steps of set-up that a command needs (command-list.mjs). */
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
 * Longest wait for another set-up or a study, ms. It is longer than a first set-up on a slow line, and shorter than
 * studies that run for days.
 */
const longestSetUpMs = 30 * 60e3;

/**
 * Runs those of the steps that are not done. Waits first if another set-up or a study is running. Throws while trials
 * run with the files of the checkout. Under sudo, the steps have the rights of the user who called sudo if the checkout
 * belongs to that user. Only tests set `file`, `waitMs` and `leases`.
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

/**
 * Prevents set-ups from changing files. Waits for a running set-up first, and throws if it does not end within
 * `waitMs`. Resolves to a function that permits set-ups again.
 */
export async function keepSetUpAway({ file = lockFile, waitMs = longestSetUpMs } = {}) {
  const release = await actingFor(personOf(root), () =>
    lock(file, 'shared', { waitMs, onWait: () => say('a set-up is under way here: waiting for its end') }),
  );
  if (release === undefined)
    throw new SetupError('another set-up has not ended\n  -> see what it does, and start again');
  return release;
}
