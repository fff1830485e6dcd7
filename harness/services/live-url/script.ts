/** The script of a live URL: a module of the user's own, which is trusted as the harness's own code is. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import type { BrowserWindow } from '../../browser/launch.ts';

/**
 * Resolves when the page is in use as it will be in the window: logged in, playing. `signal`: aborted when the visit
 * ends.
 */
export type Script = (page: BrowserWindow['page'], options: { signal: AbortSignal }) => Promise<void>;

/** Throws `bad-definition` where there is no such module, or it has no function to offer. */
export async function loadScript(path: string): Promise<Script> {
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
  } catch (error) {
    throw new CoexistError(
      'bad-definition',
      `the script ${path} cannot be loaded: ${messageOf(error).split('\n')[0]}`,
      { cause: error },
    );
  }
  if (typeof module.default !== 'function') {
    throw new CoexistError('bad-definition', `the script ${path} has no default export that is a function`, {
      hint: 'write: export default async (page, { signal }) => { ... }',
    });
  }
  return module.default as Script;
}
