/** Main function of the programs that decode an untrusted file (started by decoder-program.ts). */
import { once } from 'node:events';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { messageOf } from '../../core/errors.ts';
import { giveUpPrivileges } from '../../core/system/unprivileged.ts';

/** File descriptor from which the program reads the file. */
export const fileDescriptor = 3;
/** Number of pixels in the largest frame that is decoded: 8K. */
export const mostPixels = 7680 * 4320;

export async function write(chunk: Buffer | string): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
}

/** Runs `main` without privileges. Ends the program when its standard input ends or its output is closed. */
export async function decode(main: () => Promise<void>): Promise<void> {
  av.Log.setLevel(C.AV_LOG_QUIET);
  giveUpPrivileges();
  process.stdin.on('end', () => process.exit(0)).resume();
  process.stdout.on('error', () => process.exit(0));
  try {
    await main();
    process.stdout.end(() => process.exit(0));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`, () => process.exit(1));
  }
}
