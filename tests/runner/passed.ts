/**
 * Test files that have passed, with a digest of all that they had looked at (follow.ts): while that is as it was, they
 * need not run again. A file that starts programs depends on every file at which these may look. Only the results of a
 * whole file count: all of its tests passed, none was skipped.
 */
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from '../../core/system/paths.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import type { Followed } from './follow.ts';
import { digestOf, Tree } from './tree.ts';

const storeSchema = z.object({
  paths: z.array(z.string()),
  files: z.record(
    z.string(),
    z.object({
      looks: z.array(z.number()),
      startsPrograms: z.boolean(),
      lists: z.boolean(),
      digest: z.string(),
    }),
  ),
});
type Passed = Followed & { digest: string };

/** Whatever every test depends on: versions, the user, the environment of Coexist, the runner itself. */
function surroundings(tree: Tree): string {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith('COEXIST_'));
  return digestOf([
    process.version,
    release(),
    String(process.getuid?.()),
    JSON.stringify(own.sort()),
    tree.digestOf('package-lock.json'),
    tree.all(tree.tests.filter(file => /^tests\/(runner\/|run\.ts)/.test(file))),
  ]);
}

export class PassedFiles {
  readonly #path: string;
  readonly #tree: Tree;
  readonly #surroundings: string;
  readonly #tests: ReadonlySet<string>;
  readonly #files: Map<string, Passed>;

  constructor(tree: Tree, path = join(cacheFolder, 'passed-tests.json')) {
    this.#tree = tree;
    this.#path = path;
    this.#surroundings = surroundings(tree);
    this.#tests = new Set(tree.tests);
    this.#files = this.#read();
  }

  #read(): Map<string, Passed> {
    try {
      const { paths, files } = storeSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return new Map(
        Object.entries(files).map(([file, { looks, ...rest }]) => [
          file,
          { ...rest, paths: looks.map(k => paths[k]!) },
        ]),
      );
    } catch {
      return new Map(); // there is none yet, or another version has written it
    }
  }

  #digest({ paths, startsPrograms, lists }: Followed): string {
    return digestOf([
      this.#surroundings,
      this.#tree.all(paths),
      lists ? this.#tree.names : '',
      startsPrograms ? this.#tree.programs : '',
    ]);
  }

  /** True where the file passed as it is now, and so did all that it had looked at. */
  has(file: string): boolean {
    const passed = this.#files.get(file);
    return passed !== undefined && passed.digest === this.#digest(passed);
  }

  /** It has passed whole; undefined: it has not, or its files are not known. */
  set(file: string, followed: Followed | undefined): void {
    if (followed === undefined) {
      this.#files.delete(file);
      return;
    }
    const paths = followed.paths.filter(path => !Tree.isMade(path));
    const named = followed.startsPrograms ? this.#named(file, paths) : [];
    const own = { ...followed, paths: [...new Set([...paths, ...named, file])].sort() };
    this.#files.set(file, { ...own, digest: this.#digest(own) });
  }

  /** Files of tests/ that the texts of a test name, for programs that it starts. */
  #named(file: string, paths: readonly string[]): string[] {
    return [file, ...paths.filter(path => this.#tests.has(path))].flatMap(path => {
      const text = /\.[mc]?[jt]s$/.test(path) ? readFileSync(join(this.#tree.root, path), 'utf8') : '';
      const words = [...text.matchAll(/['"`]([\w./-]+)['"`]/g)].map(([, word]) => word!);
      return words
        .flatMap(word => [join(path, '..', word), word.replace(/^\.\//, '')])
        .flatMap(one => (this.#tests.has(one) ? [one] : this.#tree.testsBelow(one)));
    });
  }

  save(): void {
    const paths = [...new Set([...this.#files.values()].flatMap(one => one.paths))].sort();
    const index = new Map(paths.map((path, k) => [path, k]));
    const files = Object.fromEntries(
      [...this.#files].map(([file, { paths: own, ...rest }]) => [
        file,
        { ...rest, looks: own.map(path => index.get(path)!) },
      ]),
    );
    writeWhole(this.#path, JSON.stringify({ paths, files }));
  }
}
