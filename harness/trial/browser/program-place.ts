/**
 * What a confined browser sees of its own program: the folder that the program lies in, with the libraries and data
 * beside it. A folder that holds far more than a program, such as / or somebody's home, stays hidden; of such a one
 * only the program itself is seen.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { childEnvironment } from '../../../core/system/child-environment.ts';
import { isSystem } from '../../../core/system/sandbox.ts';

type ProgramPlace = {
  /** Whole path by which it is started. */
  program: string;
  /** What it has to read: folders, or the program alone. */
  files: string[];
};

/** Folders of / that hold more than a program (hier(7)), and names that are usual for data. */
const rootFolders = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin snap srv sys tmp usr var ' +
    'app cache data export nfs nix scratch shared storage users volumes work workspace'
  ).split(' '),
);

const askMs = 5000;

/** The line of whoever started this by sudo, where only a directory service knows them. */
function sudoLine(lines: readonly string[]): string {
  const id = process.env['SUDO_UID'] ?? '';
  if (!/^\d+$/.test(id) || lines.some(line => line.split(':')[2] === id)) return '';
  // null where there is no such program, as in a small container, which asks no service either
  const { stdout } = spawnSync('getent', ['passwd', id], {
    encoding: 'utf8',
    timeout: askMs,
    env: childEnvironment(),
  }) as {
    stdout: string | null;
  };
  return stdout?.trim() ?? '';
}

/** Homes of the machine's users and of this command (passwd(5)), by their names and by where these lead. */
function homes(): string[] {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const listed = [...lines, sudoLine(lines)].flatMap(line => line.split(':')[5] ?? []);
  return [homedir(), ...listed]
    .filter(path => path.startsWith('/'))
    .flatMap(path => [resolve(path), ...(existsSync(path) ? [realpathSync(path)] : [])]);
}

/**
 * The root, its usual folders, the homes that are usual or known, and what holds a home. Any other folder of / is taken
 * for that of a program, as containers have it.
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
 * `executable`: a path, maybe of a link that leads to where the program's other files are. `isSeen`: whether a path
 * is seen anyway.
 */
export function programPlace(executable: string, isSeen: (path: string) => boolean): ProgramPlace {
  const [path, real] = [resolve(executable), realpathSync(executable)];
  // alone, a link is not seen as one, and a program looks beside itself for its other files
  const program = isAlone(path, isSeen) ? real : path;
  return { program, files: [program, real].map(file => (isAlone(file, isSeen) ? file : dirname(file))) };
}

/** What to do about a program that does not start. Started by hand, it sees more than in its sandbox. */
export function startHint(executable: string, isConfined: boolean): string {
  const usual = 'start it by hand to see what it says; name another with CHROMIUM_PATH';
  const real = isConfined && existsSync(executable) ? realpathSync(executable) : undefined;
  if (real === undefined || !isAlone(real, isSystem)) return usual;
  const folder = dirname(real);
  return `if it needs other files of ${folder}, it does not see them there: give it a folder of its own; or ${usual}`;
}
