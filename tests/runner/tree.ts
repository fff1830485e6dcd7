/** The files of the checkout, those that git ignores left out, and digests of what tests have looked at in it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot as root } from '../../core/paths.ts';

/** Results and downloads of programs, which follow from files of the checkout. */
const made = /(^|\/)(node_modules|\.git|\.cache|runs|build|dist|target|__pycache__)(\/|$)/;
/** Files at which a program looks only where a test names them. */
const apart = /^(tests|docs)\/|\.md$/;

export class Tree {
  readonly root: string;
  readonly #files: readonly string[];
  readonly #digests = new Map<string, string>();
  #folders: Map<string, string[]> | undefined;

  private constructor(folder: string, files: readonly string[]) {
    this.root = folder;
    this.#files = files;
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

  /** The files of tests/ among them. */
  get tests(): string[] {
    return this.#files.filter(file => file.startsWith('tests/'));
  }

  /** Names of what is in each folder; git knows no empty ones. */
  get #names(): Map<string, string[]> {
    if (this.#folders === undefined) {
      const names = new Map<string, Set<string>>();
      for (const file of this.#files) {
        const parts = file.split('/');
        for (const [k, name] of parts.entries()) {
          const folder = parts.slice(0, k).join('/');
          if (!names.has(folder)) names.set(folder, new Set());
          names.get(folder)!.add(name);
        }
      }
      this.#folders = new Map([...names].map(([folder, own]) => [folder, [...own].sort()]));
    }
    return this.#folders;
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
    if (digest === undefined) {
      const names = this.#names.get(path);
      digest = names === undefined ? contentOf(join(this.root, path)) : digestOf(names);
      this.#digests.set(path, digest);
    }
    return digest;
  }

  /** The digest of the names of all files. */
  names(): string {
    return digestOf(this.#files);
  }

  /** The digest of all files at which a program may look that a test starts. */
  programs(): string {
    return this.all(this.#files.filter(file => !apart.test(file)));
  }

  all(paths: readonly string[] = this.#files): string {
    return digestOf(paths.flatMap(path => [path, this.digestOf(path)]));
  }
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
