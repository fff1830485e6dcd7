/** What stands on a display that nobody sees: the dump of xwd(1), read as it is (X11/XWDFile.h, version 7). */
import { readFileSync, rmSync } from 'node:fs';
import { run } from '../../../core/system/command.ts';

export type Region = { left: number; top: number; width: number; height: number };

const pixelBytes = 4;
/** Every so manieth pixel is looked at, in either direction. */
const step = 4;

export class Screenshot {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Buffer;
  readonly #lineBytes: number;

  /** `dump`: of a screen of true colours with 32 bits a pixel, as Xvfb's of depth 24 is. */
  constructor(dump: Buffer) {
    const word = (place: number) => dump.readUInt32BE(4 * place);
    const [version, bitsPerPixel, colours] = [word(1), word(11), word(19)];
    if (version !== 7 || bitsPerPixel !== 8 * pixelBytes)
      throw new Error(`a dump of version ${version} with ${bitsPerPixel} bits a pixel cannot be read`);
    [this.width, this.height, this.#lineBytes] = [word(4), word(5), word(12)];
    this.#pixels = dump.subarray(word(0) + 12 * colours);
  }

  /** Colours of a grid of pixels, the same grid for the same region. */
  grid({ left, top, width, height }: Region): Uint32Array {
    const found: number[] = [];
    for (let y = Math.ceil(top); y < top + height; y += step) {
      for (let x = Math.ceil(left); x < left + width; x += step)
        found.push(this.#pixels.readUInt32LE(y * this.#lineBytes + x * pixelBytes) & 0xffffff);
    }
    return Uint32Array.from(found);
  }
}

/** The whole screen of a display; `path` is where the dump stands meanwhile. */
export async function shoot(display: string, path: string): Promise<Screenshot> {
  try {
    await run(['xwd', '-display', display, '-root', '-silent', '-out', path]);
    return new Screenshot(readFileSync(path));
  } finally {
    rmSync(path, { force: true });
  }
}

/** How many colours there are. */
export const colours = (grid: Uint32Array) => new Set(grid).size;

/** Share of the pixels whose colours are not the same. */
export const changed = (before: Uint32Array, after: Uint32Array) =>
  before.filter((colour, i) => colour !== after[i]).length / before.length;
