/** The clip as a file that Chromium takes for a camera: made once, kept in the cache. */
import { madeOfClip } from '../clips.ts';
import type { Params } from './params.ts';

/** Cameras that are kept; each is some hundred MB. */
const kept = 3;

/** What makes a browser take a file for its camera, and ask nobody. */
export function cameraSwitches(file: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
}

/** Path of the file for these parameters; it is made where it is missing. */
export function cameraFile({
  clip,
  width,
  height,
  frameRate,
  clipLength,
}: Pick<Params, 'clip' | 'width' | 'height' | 'frameRate' | 'clipLength'>): Promise<string> {
  return madeOfClip({
    clip,
    folder: 'cameras',
    extension: 'y4m',
    kept,
    program: new URL('../../media/write-y4m.ts', import.meta.url),
    words: [width, height, frameRate, clipLength / 1000].map(String),
    what: 'a camera',
  });
}
