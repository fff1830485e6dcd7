/** Builds and runs the C tests of coexist-link, with the address and undefined-behaviour sanitizers. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Output, run } from '../../../../core/command.ts';

export const linkSource = fileURLToPath(new URL('../../../../shaper/native/link/', import.meta.url));

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc', 'flock'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/json-c/json.h') ? undefined : 'the headers of json-c';
}

const missing = await missingTool();
export const skip = missing === undefined ? false : `needs ${missing}, to build the tests`;

const makeWords = ['make', '--silent', '--no-print-directory', '-C', linkSource];
const timeoutMs = 240_000;

export const make = (...words: string[]): Promise<Output> => run([...makeWords, ...words], { timeoutMs });

/** Builds them, unless they are up to date. Two test files may want that at once; flock(1) lets one build at a time. */
export const buildTests = (): Promise<Output> =>
  run(['flock', linkSource, ...makeWords, '-j2', 'tests'], { timeoutMs });
