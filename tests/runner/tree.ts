/** The files of the checkout, those that git ignores left out, and digests of what tests have looked at in it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot as root } from '../../core/system/paths.ts';

/** Results and downloads of programs, which follow from files of the checkout. */
const made = /(^|\/)(node_modules|\.git|\.cache|runs|build|dist|target|__pycache__)(\/|$)/;
/** Files at which a program looks only where a test names them. */
const apart = /^(tests|docs)\/|\.md$/;

/** The checkout as it is when this is made: what is changed while tests run has not passed with them. */
export class Tree {
  readonly root: string;
  /** The files of tests/ among them. */
  readonly tests: readonly string[];
  /** The digest of the names of all files. */
  readonly names: string;
  /** The digest of all files at which a program may look that a test starts. */
  readonly programs: string;
  readonly #digests = new Map<string, string>();

  private constructor(folder: string, files: readonly string[]) {
    this.root = folder;
    this.tests = files.filter(file => file.startsWith('tests/'));
    for (const file of files) this.#digests.set(file, contentOf(join(folder, file)));
    for (const [path, names] of namesIn(files)) this.#digests.set(path, digestOf(names));
    this.names = digestOf(files);
    this.programs = this.all(files.filter(file => !apart.test(file)));
  }

  /** Undefined where the folder is no checkout of git. */
  static ofCheckout(folder = root): Tree | undefined {
    const { status, stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64e6,
    });
    return status === 0 ? new Tree(folder, [...new Set(stdout.split('\0').filter(Boolean))].sort()) : undefined;
  }

  /** The files of tests/ in a folder below that of a part. */
  testsBelow(folder: string): string[] {
    return folder.split('/').length > 2 ? this.tests.filter(file => file.startsWith(`${folder}/`)) : [];
  }

  /** True where its content follows from other files. */
  static isMade(path: string): boolean {
    return made.test(path);
  }

  /** A file's comes from its content, a folder's from the names in it. */
  digestOf(path: string): string {
    let digest = this.#digests.get(path);
    if (digest === undefined) this.#digests.set(path, (digest = contentOf(join(this.root, path))));
    return digest;
  }

  all(paths: readonly string[]): string {
    return digestOf(paths.flatMap(path => [path, this.digestOf(path)]));
  }
}

/** The names in each folder, in order; git knows no empty ones. */
function namesIn(files: readonly string[]): Map<string, string[]> {
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    const parts = file.split('/');
    for (const [k, name] of parts.entries()) {
      const folder = parts.slice(0, k).join('/');
      if (!names.has(folder)) names.set(folder, new Set());
      names.get(folder)!.add(name);
    }
  }
  return new Map([...names].map(([folder, own]) => [folder, [...own].sort()]));
}

export function digestOf(words: readonly string[]): string {
  const hash = createHash('sha256');
  for (const word of words) hash.update(word).update('\0');
  return hash.digest('base64url').slice(0, 22);
}

function contentOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
}
