/**
 * What a confined browser sees of its own program: the folder that the program lies in, with the libraries and data
 * beside it. A folder that holds far more than a program, such as / or somebody's home, stays hidden; of such a one
 * only the program itself is seen.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';

type ProgramPlace = {
  /** Whole path by which it is started. */
  program: string;
  /** What it has to read: folders, or the program alone. */
  files: string[];
};

/** Homes of the machine's users and of this command (passwd(5)), by their names and by where these lead. */
function homes(): string[] {
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const listed = passwd.split('\n').flatMap(line => line.split(':')[5] ?? []);
  return [homedir(), ...listed]
    .filter(path => path.startsWith('/'))
    .flatMap(path => [resolve(path), ...(existsSync(path) ? [realpathSync(path)] : [])]);
}

/** The root, its folders, the homes that are usual or known, and what holds a home. */
function holdsMore(folder: string): boolean {
  return ['/', '/home'].includes(dirname(folder)) || homes().some(home => `${home}/`.startsWith(`${folder}/`));
}

/**
 * `executable`: a path, maybe of a link that leads to where the program's other files are. `isSystem`: whether a path
 * is seen anyway.
 */
export function programPlace(executable: string, isSystem: (path: string) => boolean): ProgramPlace {
  const [path, real] = [resolve(executable), realpathSync(executable)];
  const isAlone = (file: string) => !isSystem(file) && holdsMore(dirname(file));
  // alone, a link is not seen as one, and a program looks beside itself for its other files
  const program = isAlone(path) ? real : path;
  return { program, files: [program, real].map(file => (isAlone(file) ? file : dirname(file))) };
}
