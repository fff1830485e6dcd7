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

/**
 * Frames per second of the camera: Chromium reads the rate of such a file as a whole number (156: a file of 30000/1001
 * is a camera of 29 fps), so the next whole one stands for 29.97.
 */
export const cameraFrameRate = ({ frameRate }: Pick<Params, 'frameRate'>): number => Math.round(frameRate);

/**
 * What the receiving browser takes the colours for (Chromium 156, by red of either matrix, read back from a canvas): it
 * sends those of the camera as they are, and says nothing of them.
 */
const matrixOf = (codec: Params['codec']) => (codec === 'vp8' ? 'bt601' : 'bt709');

/** Path of the file for these parameters; it is made where it is missing. */
export function cameraFile({
  clip,
  width,
  height,
  frameRate,
  clipLength,
  codec,
}: Pick<Params, 'clip' | 'width' | 'height' | 'frameRate' | 'clipLength' | 'codec'>): Promise<string> {
  return madeOfClip({
    clip,
    folder: 'cameras',
    extension: 'y4m',
    kept,
    program: new URL('../../media/write-y4m.ts', import.meta.url),
    words: [width, height, cameraFrameRate({ frameRate }), clipLength / 1000, matrixOf(codec)].map(String),
    what: 'a camera',
  });
}
