/**
 * Entry of every npm script. It runs set-up and then starts the command with the Node version that package.json pins.
 * It is plain JavaScript for any Node from 20 on, since set-up has yet to install the pinned Node.
 *
 * node harness/setup/run.mjs COMMAND [OPTIONS]
 *
 * COEXIST_DIRECTORY is the folder to which paths on the command line are relative and that contains the run folders.
 * Default: the project folder.
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

/** Returns true if workers run the trials of the study. This machine then only plans them and needs no root. */
const isPlannerOnly = (command, argv) =>
  command !== 'worker' &&
  argv.some((word, k) => (word === '--queue' && argv[k + 1] !== 'local') || /^--queue=(?!local$)/.test(word));

/**
 * Returns true if the hosts of the trials are other machines. This machine then needs no root, and ssh uses the keys of
 * the user.
 */
const isOverMachines = (command, argv) =>
  commandOf(command).takesDefinition === true && argv.some(word => word.split('=')[0] === '--hosts');

/** Runs a program with the terminal of this process. Resolves to the exit status of the program. */
function handOver({ line: argv, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), {
      stdio: 'inherit',
      cwd: process.env.COEXIST_DIRECTORY || root,
      env: { ...process.env, ...env },
    });
    // the terminal sends Ctrl-C to the child as well; other signals are passed on
    process.on('SIGINT', () => {});
    let asked;
    for (const signal of ['SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        asked = signal;
        child.kill(signal);
      });
    }
    child.once('error', error => {
      // a user's process cannot signal a process of root; the child ends when it notices that this process is gone
      if (asked !== undefined && error.code === 'EPERM') process.exit(asked === 'SIGHUP' ? 129 : 143);
      reject(error);
    });
    child.once('close', (status, signal) => resolve(signal === null ? status : 128 + (signal === 'SIGINT' ? 2 : 15)));
  });
}

/** Returns a variable with the folder of Playwright's browsers in the home of the user who called sudo. */
const browsersOf = person =>
  person === undefined ? {} : { PLAYWRIGHT_BROWSERS_PATH: playwrightFolder(environmentOf(person)) };

/**
 * Returns the command line that runs `line` with the rights of root, if the command needs them: through sudo, or
 * without sudo in a user namespace, which lacks kernel features that need true root (BPF, loading modules, real-time
 * priority). COEXIST_USER_NAMESPACE=1 selects the user namespace.
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
  if (doesWithLess !== true) return { line }; // without root the command reports what it cannot do
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
