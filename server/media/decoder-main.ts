/** What every program that decodes a stranger's file does (decoder-program.ts starts them). */
import { once } from 'node:events';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { messageOf } from '../../core/errors.ts';
import { giveUpPrivileges } from '../../core/system/unprivileged.ts';

/** Where the file is open. */
export const fileDescriptor = 3;
/** Room for 8K; what claims to be larger is not decoded. */
export const mostPixels = 7680 * 4320;

export async function write(chunk: Buffer | string): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
}

/** Runs `main` as nobody. The program ends with its standard input, and where nobody reads what it writes. */
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
