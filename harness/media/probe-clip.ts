/**
 * Says whether a file can be used as a clip.
 *
 *   node harness/media/probe-clip.ts FILE
 *
 * Exit status 0 and its facts as JSON, or 1 and a line that says why not.
 */
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { probeClip } from '../../server/media/clip.ts';

av.Log.setLevel(C.AV_LOG_QUIET);
try {
  process.stdout.write(`${JSON.stringify(await probeClip(process.argv[2] ?? ''))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof CoexistError ? error.line : messageOf(error)}\n`);
  process.exitCode = 1;
}
