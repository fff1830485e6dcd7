/**
 * Follows the files of the checkout that a process looks at, and whether it starts programs: loaded before its tests
 * (job.ts), told with their results (reporter.ts). Modules are followed as they are resolved, other files by the calls
 * of `node:fs` that look at them.
 */
import { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot as root } from '../../core/system/paths.ts';

export type Followed = {
  /** From the root of the checkout: files, folders, and names of which there was neither. */
  paths: string[];
  /** It has started a program or a thread, which may have looked at anything. */
  startsPrograms: boolean;
  /** It has listed files by a pattern, or a folder with all below it. */
  lists: boolean;
};

const paths = new Set<string>();
const state = { startsPrograms: false, lists: false };

export const followed = (): Followed => ({ paths: [...paths].sort(), ...state });

function look(at: unknown): void {
  if (typeof at !== 'string' && !(at instanceof URL)) return;
  if (at instanceof URL && at.protocol !== 'file:') return;
  const path = typeof at === 'string' ? resolve(at) : fileURLToPath(at);
  if (path.startsWith(root)) paths.add(path.slice(root.length).replace(/\/$/, ''));
}

type Calls = Record<string, unknown>;

/** Calls `before` with the arguments of each call of that name. */
function wrap(holder: Calls, name: string, before: (words: unknown[]) => void): void {
  const call = holder[name] as ((...words: unknown[]) => unknown) | undefined;
  if (call === undefined) return;
  holder[name] = Object.assign(function (this: unknown, ...words: unknown[]) {
    before(words);
    return new.target === undefined ? call.apply(this, words) : Reflect.construct(call, words);
  }, call);
}

const looking = ['access', 'copyFile', 'cp', 'exists', 'lstat', 'open', 'opendir', 'readFile', 'readdir', 'stat'];
const listsBelow = (options: unknown) => (options as { recursive?: boolean } | undefined)?.recursive === true;
const everyForm = (names: readonly string[]): [Calls, string][] =>
  names.flatMap((name): [Calls, string][] => [
    [fs as unknown as Calls, name],
    [fs as unknown as Calls, `${name}Sync`],
    [fs.promises as unknown as Calls, name],
  ]);

for (const [holder, name] of everyForm(looking))
  wrap(holder, name, ([at, options]) => {
    look(at);
    if (listsBelow(options)) state.lists = true;
  });
wrap(fs as unknown as Calls, 'createReadStream', ([at]) => look(at));
for (const [holder, name] of everyForm(['glob']))
  wrap(holder, name, () => {
    state.lists = true;
  });
const startsProgram = () => {
  state.startsPrograms = true;
};
wrap(ChildProcess.prototype as unknown as Calls, 'spawn', startsProgram);
const children = process.getBuiltinModule('node:child_process') as unknown as Calls;
for (const name of ['spawnSync', 'execSync', 'execFileSync']) wrap(children, name, startsProgram);
process.on('worker', startsProgram);
syncBuiltinESMExports();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url.startsWith('file:')) look(new URL(found.url.replace(/[?#].*$/, '')));
    return found;
  },
});
