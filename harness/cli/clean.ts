/** `npm run clean`: removes whatever killed runs left behind. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { describeCleaned, removeLeftovers } from '../runner/leftovers.ts';
import { parseArguments } from './arguments.ts';

export async function command(argv: string[]): Promise<number> {
  parseArguments(argv, {}, 'npm run clean');
  if (process.getuid?.() !== 0)
    throw new CoexistError('no-root', 'removing what a run left needs root', { hint: 'run it with sudo' });
  process.stdout.write(`${describeCleaned(await removeLeftovers()) ?? 'nothing to clean'}\n`);
  return exitStatus.done;
}
