/** Converts the clip into a file that Chromium uses as a camera. The file is made once and cached. */
import { madeOfClip } from '../clips.ts';
import type { Params } from './params.ts';

/** Number of camera files to keep in the cache; each has some hundred MB. */
const kept = 3;

/** Returns the switches with which a browser uses a file as its camera without asking the user. */
export function cameraSwitches(file: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
}

/**
 * Frames per second of the camera: 29.97 becomes 30. Chromium reads the rate of such a file as a whole number (156: a
 * file of 30000/1001 is a camera of 29 fps).
 */
export const cameraFrameRate = ({ frameRate }: Pick<Params, 'frameRate'>): number => Math.round(frameRate);

/**
 * Colour matrix that the receiving browser assumes (Chromium 156, by the red of either matrix, read back from a
 * canvas). The clip is converted with this matrix, since the sending browser sends the camera's colours unchanged and
 * does not signal their matrix.
 */
const matrixOf = (codec: Params['codec']) => (codec === 'vp8' ? 'bt601' : 'bt709');

/** Returns the path of the camera file for these parameters. Makes the file if it is missing. */
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
