/** `npm run verify -- DIR`: recomputes a run's numbers by a second implementation and prints what differs. */
import { resolve } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { recompute } from '../verify/recompute.ts';
import { parseArguments } from './arguments.ts';
import { print } from './print.ts';

const usage = 'npm run verify -- DIR [--all] [--json]';

/** 3 where something differs, as for trials that failed. */
export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, { all: { type: 'boolean' }, json: { type: 'boolean' } }, usage);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    throw new CoexistError('usage', 'verify needs the folder of a run', { hint: usage });
  const { status, stdout, stderr } = await recompute(resolve(path), [
    ...(values.all === true ? ['--all'] : []),
    ...(values.json === true ? ['--json'] : []),
  ]);
  print(stdout);
  print(stderr, process.stderr);
  return status ?? exitStatus.machineCannot;
}
