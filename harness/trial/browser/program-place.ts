/**
 * Finds the files that a confined browser sees of its own program: the program's folder, with libraries and data. A
 * folder that holds far more than a program, such as / or a home, stays hidden; then only the program file is visible.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { childEnvironment } from '../../../core/system/child-environment.ts';
import { isSystem } from '../../../core/system/sandbox.ts';

type ProgramPlace = {
  /** Absolute path by which the program is started. */
  program: string;
  /** Folders that the program has to read, or only the program file. */
  files: string[];
};

/** Folders of / that hold more than a program (hier(7)), and usual names of data folders. */
const rootFolders = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin snap srv sys tmp usr var ' +
    'app cache data export nfs nix scratch shared storage users volumes work workspace'
  ).split(' '),
);

const askMs = 5000;

/** Returns the passwd line of the user who called sudo if only a directory service has it; else an empty text. */
function sudoLine(lines: readonly string[]): string {
  const id = process.env['SUDO_UID'] ?? '';
  if (!/^\d+$/.test(id) || lines.some(line => line.split(':')[2] === id)) return '';
  // null without getent: a small container has no getent, and no directory service either
  const { stdout } = spawnSync('getent', ['passwd', id], {
    encoding: 'utf8',
    timeout: askMs,
    env: childEnvironment(),
  }) as {
    stdout: string | null;
  };
  return stdout?.trim() ?? '';
}

/**
 * Returns the homes of the machine's users and of this command (passwd(5)), each as written and with links resolved.
 */
function homes(): string[] {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const listed = [...lines, sudoLine(lines)].flatMap(line => line.split(':')[5] ?? []);
  return [homedir(), ...listed]
    .filter(path => path.startsWith('/'))
    .flatMap(path => [resolve(path), ...(existsSync(path) ? [realpathSync(path)] : [])]);
}

/**
 * True for /, its usual folders, usual and known homes, and folders that contain a home. Any other folder of / is taken
 * for that of a program, as in containers.
 */
export function holdsMore(folder: string): boolean {
  const [parent, name] = [dirname(folder), basename(folder)];
  return (
    folder === '/' ||
    parent === '/home' ||
    (parent === '/' && rootFolders.has(name.toLowerCase())) ||
    homes().some(home => `${home}/`.startsWith(`${folder}/`))
  );
}

const isAlone = (file: string, isSeen: (path: string) => boolean) => !isSeen(file) && holdsMore(dirname(file));

/**
 * Finds the files of a program. `executable`: path, perhaps a link into the program's folder. `isSeen`: returns true if
 * the sandbox shows a path in any case.
 */
export function programPlace(executable: string, isSeen: (path: string) => boolean): ProgramPlace {
  const [path, real] = [resolve(executable), realpathSync(executable)];
  // The sandbox does not show a link as a link if the link's folder is hidden. The target is used then, since a program
  // looks for its other files in its own folder.
  const program = isAlone(path, isSeen) ? real : path;
  return { program, files: [program, real].map(file => (isAlone(file, isSeen) ? file : dirname(file))) };
}

/**
 * Returns a hint for a program that does not start. A program started by hand sees more files than one in the sandbox.
 */
export function startHint(executable: string, isConfined: boolean): string {
  const usual = 'start it by hand to see what it says; name another with CHROMIUM_PATH';
  const real = isConfined && existsSync(executable) ? realpathSync(executable) : undefined;
  if (real === undefined || !isAlone(real, isSystem)) return usual;
  const folder = dirname(real);
  return `if it needs other files of ${folder}, it does not see them there: give it a folder of its own; or ${usual}`;
}
