/** Builds and runs the C tests of coexist-link, with the address and undefined-behaviour sanitizers. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Output, run } from '../../../../core/system/command.ts';

export const linkSource = fileURLToPath(new URL('../../../../shaper/emulator/native/', import.meta.url));

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc', 'flock'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/json-c/json.h') ? undefined : 'the headers of json-c';
}

const missing = await missingTool();
export const skip = missing === undefined ? false : `needs ${missing}, to build the tests`;

/** Waits until no other test file builds, because a program cannot start while it is being linked. */
export const make = (...words: string[]): Promise<Output> =>
  run(['flock', linkSource, 'make', '--silent', '--no-print-directory', '-C', linkSource, ...words], {
    timeoutMs: 240_000,
  });

/** Builds the tests if they are outdated. */
export const buildTests = (): Promise<Output> => make('-j2', 'tests');
