/**
 * The entry of every npm script. Plain JavaScript, so that it runs on any Node from 20 on: it sets up what is
 * missing and then hands over to the Node that package.json pins, which runs TypeScript directly.
 *
 *   node harness/setup/run.mjs COMMAND [OPTIONS]
 */
import { spawn } from 'node:child_process';
import { commandSteps, pinnedNode, root, SetupError, setUp } from './setup.mjs';
import { findProgram } from './programs.mjs';

/** Commands that make namespaces; the words after which they do not. */
const needsRoot = { experiment: ['--list', '--dry-run', '--help', '-h'], clean: [], test: [], 'test:kernels': [], 'bench:bbr3': [], 'bench:sender': [], 'bench:shaper': [] };

/** Variables that sudo must let through. */
const passedOn = ['PATH', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'CHROMIUM_PATH', 'NO_COLOR', 'FORCE_COLOR', 'TERM', 'CI'];

/** Runs a program with our terminal; resolves to its exit status. */
function handOver(argv) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: 'inherit', cwd: root, env: { ...process.env, COEXIST_PARENT: String(process.pid) } });
    // Ctrl-C reaches the child by itself; what is sent to us alone is passed on
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(signal === null ? status : 128 + (signal === 'SIGINT' ? 2 : 15)));
  });
}

/** The command line as root, where the command needs that and sudo is there. */
function asRoot(command, argv, line) {
  const exempt = needsRoot[command];
  if (exempt === undefined || process.getuid() === 0 || argv.some(word => exempt.includes(word)) || findProgram('sudo') === undefined) return line;
  process.stderr.write(`${command} makes network namespaces, which needs root: using sudo\n`);
  const variables = passedOn.flatMap(name => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`]));
  return ['sudo', '--', 'env', ...variables, ...line];
}

const [command = 'experiment', ...argv] = process.argv.slice(2);
try {
  await setUp(commandSteps(command, argv));
  if (command === 'setup') process.exitCode = 0;
  else {
    const entry = command === 'test' ? ['tests/run.ts'] : command === 'test:kernels' ? ['tests/run.ts', 'kernels'] : command.startsWith('bench:') ? [`tests/bench/${command.slice(6)}.ts`] : ['harness/main.ts', command];
    process.exitCode = await handOver(asRoot(command, argv, [pinnedNode, '--disable-warning=ExperimentalWarning', ...entry, ...argv]));
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
