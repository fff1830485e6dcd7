/**
 * Makes command lines that run a command through sudo. They pass the id of the calling process on: the study ends when
 * that process is gone, for whatever reason (harness/cli/parent.ts).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { playwrightFolder } from './programs.mjs';

/** Variables that are passed through sudo on its command line. */
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
 * Variables that sudo is asked to keep in the environment. They are not on the command line, because all users can read
 * it (proc(5), /proc/PID/cmdline). sudo permits this only to users with full rights; the variables of `passedOn` do not
 * depend on it.
 */
const secrets = ['PGPASSWORD'];

/**
 * Returns the id of this process, which identifies it even if a later process gets the same number.
 * core/system/process-id.ts reads it.
 */
export function ownProcessId() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return {
    pid: process.pid,
    startTicks: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]),
    pidNamespace: readlinkSync('/proc/self/ns/pid'),
  };
}

/** Returns the command line that runs `line` through sudo and passes variables on. sudo alone would remove them. */
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
