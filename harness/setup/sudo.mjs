/**
 * Command lines through sudo, with the id of the calling process: a study ends when that process is gone, for whatever
 * reason (harness/cli/parent.ts).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { playwrightFolder } from './programs.mjs';

/** Variables that are passed through sudo as words of the command line. */
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
 * Variables that are passed in the environment only, because all users can read command lines (proc(5),
 * /proc/PID/cmdline). sudo lets users with full rights keep variables. The other variables above do not depend on that.
 */
const secrets = ['PGPASSWORD'];

/**
 * Identity of this process by which core/system/process-id.ts recognises it, even if its number is used again later.
 */
export function ownProcessId() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return {
    pid: process.pid,
    startTicks: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]),
    pidNamespace: readlinkSync('/proc/self/ns/pid'),
  };
}

/** Command line through sudo, which would otherwise drop all variables. */
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
