/** The clip as a file that Chromium takes for a camera: made once, kept in the cache. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../base/command.ts';
import { makeDirectory } from '../../base/directories.ts';
import { exitStatus } from '../../base/errors.ts';
import { cacheDirectory } from '../../base/paths.ts';
import { asTold, clipPath } from '../clips.ts';
import type { Params } from './params.ts';

const writer = fileURLToPath(new URL('../../../server/media/write-y4m.ts', import.meta.url));
const folder = join(cacheDirectory, 'cameras');
/** Cameras that are kept; each is some hundred MB. */
const kept = 3;

/** What makes a browser take a file for its camera, and ask nobody. */
export function cameraSwitches(file: string): string[] {
  return ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
}

/** Path of the file for these parameters; it is made where it is missing. */
export async function cameraFile({ clip, width, height, frameRate, clipLength }: Pick<Params, 'clip' | 'width' | 'height' | 'frameRate' | 'clipLength'>): Promise<string> {
  const path = clipPath(clip);
  const { mtimeMs, size } = statSync(path);
  const name = createHash('sha256').update(JSON.stringify([path, mtimeMs, size, width, height, frameRate, clipLength])).digest('hex').slice(0, 16);
  const file = join(folder, `${name}.y4m`);
  if (existsSync(file)) {
    utimesSync(file, new Date(), new Date()); // used last
    return file;
  }
  makeDirectory(folder);
  removeOldest();
  const { status, stderr } = await run([process.execPath, '--disable-warning=ExperimentalWarning', writer, path, String(width), String(height), String(frameRate), String(clipLength / 1000), file], { allowFailure: true, timeoutMs: 120_000 });
  if (status === 0) return file;
  // a full disk is no fault of the clip
  throw asTold(status === exitStatus.usage ? 'bad-clip' : 'cannot-write', stderr, `the clip ${path} could not be made a camera`);
}

function removeOldest(): void {
  const ages = readdirSync(folder).map(name => ({ path: join(folder, name), mtimeMs: statSync(join(folder, name)).mtimeMs })).sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { path } of ages.slice(kept - 1)) rmSync(path, { force: true });
}
