/** A machine on which some programs fail, with a record of its commands. */

import { CoexistError } from '../../../../../core/errors.ts';
import type { CommandOptions, Output } from '../../../../../core/system/command.ts';

export function firewallMachine(...broken: string[]) {
  const told: string[] = [];
  const runner = async (argv: readonly string[], { input, allowFailure }: CommandOptions = {}): Promise<Output> => {
    told.push(`${argv.join(' ')}${input === undefined ? '' : ` < ${String(input).trim()}`}`);
    const fails = broken.includes(argv[0]!);
    if (fails && allowFailure !== true)
      throw new CoexistError('missing-program', `the program "${argv[0]}" is not installed`);
    return { status: fails ? 1 : 0, signal: null, stdout: '', stderr: '' };
  };
  return { told, runner };
}
