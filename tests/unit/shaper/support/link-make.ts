/** Builds and runs the C tests of coexist-link, with the address and undefined-behaviour sanitizers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../../core/command.ts';
import type { Output } from '../../../../core/command.ts';
import { inTurn } from '../../../../core/turn.ts';

export const linkSource = fileURLToPath(new URL('../../../../shaper/native/link/', import.meta.url));

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/json-c/json.h') ? undefined : 'the headers of json-c';
}

const missing = await missingTool();
export const skip = missing === undefined ? false : `needs ${missing}, to build the tests`;

export const make = (...words: string[]): Promise<Output> =>
  run(['make', '--silent', '--no-print-directory', '-C', linkSource, ...words], { timeoutMs: 240_000 });

/** Builds them, unless they are up to date. Two test files may want that at the same time. */
export const buildTests = (): Promise<Output> =>
  inTurn(join(linkSource, '../build'), 'link-tests', () => make('-j2', 'tests'));
