/** `npm run clean`: removes what killed runs left behind. */
import { exitStatus } from '../../core/errors.ts';
import { checkRoot } from '../trial/check.ts';
import { describeCleaned, removeLeftovers } from '../trial/leftovers.ts';
import { parseOptions } from './arguments.ts';

export async function command(argv: string[]): Promise<number> {
  parseOptions(argv, {}, 'npm run clean', 'clean');
  checkRoot('removing what a run left needs', 'to remove network namespaces and to end processes');
  process.stdout.write(`${describeCleaned(await removeLeftovers()) ?? 'nothing to clean'}\n`);
  return exitStatus.done;
}
