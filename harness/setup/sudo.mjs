/**
 * Handing a command over to root, and who hands it over: a study ends when that one is gone, however it went
 * (harness/cli/parent.ts).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { playwrightFolder } from './programs.mjs';

/** Variables that sudo must let through. */
const passedOn = [
  'PATH',
  'COEXIST_DIRECTORY',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'CHROMIUM_PATH',
  'COEXIST_FFMPEG',
  'NO_COLOR',
  'FORCE_COLOR',
  'TERM',
  'CI',
  'PGPASSWORD',
  'PGPASSFILE',
  'COEXIST_PLANNER_KEY',
  'COEXIST_PARENT',
];

/** This process, as core/process-id.ts tells one from another that gets its number later. */
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
  return [
    'sudo',
    '--',
    'env',
    ...[...passedOn, 'PLAYWRIGHT_BROWSERS_PATH'].flatMap(name =>
      variables[name] === undefined ? [] : [`${name}=${variables[name]}`],
    ),
    ...line,
  ];
}
