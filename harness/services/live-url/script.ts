/** Loads the script of a live URL: a module of the user, which is trusted like the harness's own code. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import type { BrowserWindow } from '../../trial/browser/launch.ts';

/**
 * Brings the page into the state to be measured, such as logged in or playing, and resolves then. `signal`: aborted
 * when the visit ends.
 */
export type Script = (page: BrowserWindow['page'], options: { signal: AbortSignal }) => Promise<void>;

/**
 * Runs the source that was read, even if the file has changed since. The hash is part of the module's name, since Node
 * loads a module of one name only once.
 */
async function runModule(path: string, source: Buffer, sha256: string): Promise<{ default?: unknown }> {
  const url = `${pathToFileURL(path).href}?sha256=${sha256}`;
  const hooks = registerHooks({
    load: (wanted, context, next) => {
      const loaded = next(wanted, context);
      return wanted === url ? { ...loaded, source } : loaded;
    },
  });
  try {
    return (await import(url)) as { default?: unknown };
  } finally {
    hooks.deregister();
  }
}

/**
 * Loads a script. `sha256`: hash (hexadecimal) of the trusted script; another script is not run. Throws
 * `bad-definition` if the file is missing, differs from the trusted script, or exports no function.
 */
export async function loadScript(path: string, sha256: string | undefined): Promise<Script> {
  const refuse = (error: unknown) =>
    new CoexistError('bad-definition', `the script ${path} cannot be loaded: ${messageOf(error).split('\n')[0]}`, {
      cause: error,
    });
  let real: string;
  let source: Buffer;
  try {
    real = realpathSync(path);
    source = readFileSync(real);
  } catch (error) {
    throw refuse(error);
  }
  if (createHash('sha256').update(source).digest('hex') !== sha256) {
    throw new CoexistError('bad-definition', `the script ${path} differs from the one that is trusted`, {
      hint: 'put back the script that the study began with, or begin the study anew with --trust-scripts',
    });
  }
  const module = await runModule(real, source, sha256).catch((error: unknown) => {
    throw refuse(error);
  });
  if (typeof module.default !== 'function') {
    throw new CoexistError('bad-definition', `the script ${path} has no default export that is a function`, {
      hint: 'write: export default async (page, { signal }) => { ... }',
    });
  }
  return module.default as Script;
}
