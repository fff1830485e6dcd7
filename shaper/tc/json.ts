/** What `tc -j` prints, as far as it is read here, and how to ask for it. */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';

export type QdiscJson = {
  kind: string;
  handle: string;
  root?: boolean;
  parent?: string;
  options?: { limit?: number; rate?: number | { rate: number | string } };
  bytes?: number;
  packets?: number;
  drops?: number;
  overlimits?: number;
  ecn_mark?: number;
  backlog?: number;
  qlen?: number;
};

export async function tcJson<T>(host: Host, argv: readonly string[]): Promise<T[]> {
  const { stdout } = await host.run(['tc', '-s', '-j', ...argv]);
  try {
    return JSON.parse(stdout === '' ? '[]' : stdout) as T[];
  } catch (error) {
    throw new CoexistError('command-failed', `"tc ${argv.join(' ')}" printed something that is not JSON`, {
      cause: error,
    });
  }
}
