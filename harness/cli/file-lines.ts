/** Lines that `--dry-run` prints on the files (clips) that services use. */
import { boundOf } from '../../core/plugins.ts';
import type { Chosen } from '../definition/applications.ts';
import type { RunnerRegistries } from '../trial/registries.ts';

/** Returns the lines on the files of all services, without repeated lines. Throws if a file cannot be used. */
export async function fileLines(
  chosen: readonly Chosen[],
  { services }: Pick<RunnerRegistries, 'services'>,
): Promise<string> {
  const blocks: string[] = [];
  for (const one of chosen) {
    const lines = await boundOf(services, one, 'service').inspect();
    blocks.push(lines.map(line => `${line}\n`).join(''));
  }
  return [...new Set(blocks)].join('');
}
