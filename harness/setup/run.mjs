/**
 * The entry of every npm script. Plain JavaScript, so that it runs on any Node from 20 on: it sets up what is
 * missing and then hands over to the Node that package.json pins, which runs TypeScript directly.
 *
 *   node harness/setup/run.mjs COMMAND [OPTIONS]
 *
 * COEXIST_DIRECTORY is where paths on the command line start and runs are kept; without it the folder of the project.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import './closed-output.mjs';
import { commandOf, onlyLooks } from './command-list.mjs';
import { refuseTakenByNpm } from './npm-options.mjs';
import { environmentOf, personOf } from './person.mjs';
import { findProgram, playwrightFolder, searchPath } from './programs.mjs';
import {
  asksForHelp,
  commandSteps,
  keepSetUpAway,
  pinnedNode,
  root,
  SetupError,
  setUp,
  setupObstacle,
  setupUsage,
} from './setup.mjs';
import { ownProcessId, throughSudo } from './sudo.mjs';
import { inUserNamespace, stateFolder, userNamespaceMissing } from './user-namespace.mjs';

/** True where the trials of a study go to workers elsewhere: a planner needs no root. */
const isPlannerOnly = (command, argv) =>
  command !== 'worker' &&
  argv.some((word, k) => (word === '--queue' && argv[k + 1] !== 'local') || /^--queue=(?!local$)/.test(word));

/** True where the trials of a study run on other machines: this one needs no root, and the keys of ssh are the user's. */
const isOverMachines = (command, argv) =>
  commandOf(command).takesDefinition === true && argv.some(word => word.split('=')[0] === '--hosts');

/** Runs a program with our terminal; resolves to its exit status. */
function handOver({ line: argv, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), {
      stdio: 'inherit',
      cwd: process.env.COEXIST_DIRECTORY || root,
      env: { ...process.env, ...env },
    });
    // Ctrl-C reaches the child by itself; what is sent to us alone is passed on
    process.on('SIGINT', () => {});
    let asked;
    for (const signal of ['SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        asked = signal;
        child.kill(signal);
      });
    }
    child.once('error', error => {
      // root's process takes no signal from a user; it ends when it sees that we are gone
      if (asked !== undefined && error.code === 'EPERM') process.exit(asked === 'SIGHUP' ? 129 : 143);
      reject(error);
    });
    child.once('close', (status, signal) => resolve(signal === null ? status : 128 + (signal === 'SIGINT' ? 2 : 15)));
  });
}

/** Where set-up keeps Playwright's browsers for whoever has called sudo: in their home, which is not this process's. */
const browsersOf = person =>
  person === undefined ? {} : { PLAYWRIGHT_BROWSERS_PATH: playwrightFolder(environmentOf(person)) };

/**
 * The command line as root, where the command needs that: through sudo, else in a user namespace, where kernel features
 * that need true root (BPF, loading modules, real-time priority) are missing. COEXIST_USER_NAMESPACE=1 asks for the
 * latter at once.
 */
function asRoot(command, argv, line) {
  if (isOverMachines(command, argv) && process.getuid() !== 0)
    return { line, env: { COEXIST_STATE_DIR: process.env.COEXIST_STATE_DIR ?? stateFolder() } };
  const { needsRoot, doesWithLess } = commandOf(command);
  const asked = process.env.COEXIST_USER_NAMESPACE === '1';
  if (
    needsRoot === undefined ||
    asksForHelp(argv) ||
    isPlannerOnly(command, argv) ||
    onlyLooks(command, argv) ||
    (process.getuid() === 0 && !asked)
  )
    return { line, env: browsersOf(personOf(root)) };
  if (!asked && findProgram('sudo') !== undefined) {
    process.stderr.write(`${command} makes network namespaces, which needs root: using sudo\n`);
    return { line: throughSudo(line, process.env) };
  }
  if (doesWithLess !== true) return { line }; // it says itself what it cannot do without root
  const missing = userNamespaceMissing();
  if (missing !== undefined) {
    if (!asked) return { line };
    throw new SetupError(
      `this machine gives no user namespace: ${missing}\n  -> unset COEXIST_USER_NAMESPACE and run it with sudo`,
    );
  }
  process.stderr.write(
    `${command} makes network namespaces: using a user namespace, without the features that need true root\n`,
  );
  return { line: inUserNamespace(line), env: { COEXIST_STATE_DIR: process.env.COEXIST_STATE_DIR ?? stateFolder() } };
}

const [command = 'experiment', ...argv] = process.argv.slice(2);
refuseTakenByNpm(command, argv);
process.env.PATH = searchPath();
process.env.COEXIST_PARENT = JSON.stringify(ownProcessId());
if (command === 'setup' && asksForHelp(argv)) {
  process.stdout.write(setupUsage);
  process.exit(0);
}
const obstacle = command === 'setup' ? setupObstacle(argv) : undefined;
if (obstacle !== undefined) {
  process.stderr.write(`${obstacle}\n`);
  process.exit(1);
}
try {
  await setUp(commandSteps(command, argv));
  if (command === 'setup') process.exitCode = 0;
  else {
    const [program, ...words] = commandOf(command).runs ?? ['harness/main.ts', command];
    const line = asRoot(command, argv, [
      pinnedNode,
      '--disable-warning=ExperimentalWarning',
      join(root, program),
      ...words,
      ...argv,
    ]);
    const release = commandOf(command).isStudy === true ? await keepSetUpAway() : () => {};
    process.exitCode = await handOver(line);
    release();
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
