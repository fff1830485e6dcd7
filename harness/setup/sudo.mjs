/**
 * Handing a command over to root, and who hands it over: a study ends when that one is gone, however it went
 * (harness/cli/parent.ts).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { playwrightFolder } from './programs.mjs';

/** Variables that sudo must let through, as words of a command line. */
const passedOn = [
  'PATH',
  'COEXIST_DIRECTORY',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'CHROMIUM_PATH',
  'COEXIST_FFMPEG',
  'COEXIST_KEEP_AWAKE',
  'COEXIST_STATE_DIR',
  'COEXIST_CONFINE',
  'NO_COLOR',
  'FORCE_COLOR',
  'TERM',
  'CI',
  'PGPASSFILE',
  'COEXIST_PLANNER_KEY',
  'COEXIST_PARENT',
];

/**
 * Those that go on in the environment alone: everybody on the machine sees command lines (proc(5), /proc/PID/cmdline).
 * sudo lets whoever may run everything keep variables; for the others above it need not.
 */
const secrets = ['PGPASSWORD'];

/** This process, as core/system/process-id.ts tells one from another that gets its number later. */
export function ownProcessId() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return {
    pid: process.pid,
    startTicks: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]),
    pidNamespace: readlinkSync('/proc/self/ns/pid'),
  };
}

/** The command line through sudo, which keeps no variables by itself. */
export function throughSudo(line, environment) {
  const variables = { ...environment, PLAYWRIGHT_BROWSERS_PATH: playwrightFolder(environment) };
  const kept = secrets.filter(name => (variables[name] ?? '') !== '');
  return [
    'sudo',
    ...(kept.length === 0 ? [] : [`--preserve-env=${kept.join(',')}`]),
    '--',
    'env',
    ...[...passedOn, 'PLAYWRIGHT_BROWSERS_PATH'].flatMap(name =>
      variables[name] === undefined ? [] : [`${name}=${variables[name]}`],
    ),
    ...line,
  ];
}
