/**
 * Picture of a virtual display. Xvfb keeps the screen in a file (-fbdir) in the format of xwd(1): X11/XWDFile.h,
 * version 7, words of four bytes in big-endian order. After these words the file has the name of the screen's program,
 * a table of colours, and the pixels. A pixel has four bytes, blue first, if the screen has a depth of 24.
 */
import { CoexistError } from '../../core/errors.ts';
import { pngFile } from '../../core/png.ts';

/** Positions in the header of the words that are read. */
const word = { headerBytes: 0, version: 1, width: 4, height: 5, bitsPerPixel: 11, lineBytes: 12, colours: 19 } as const;
const version = 7;
const pixelBytes = 4;
/** Size of an entry in the table of colours, bytes. */
const colourBytes = 12;

/** Returns the screen as a PNG file. Throws `no-display` if the file does not have Xvfb's format. */
export function pictureOf(screen: Buffer): Buffer {
  if (screen.length < 100) throw refused('it is cut off');
  const read = (name: keyof typeof word) => screen.readUInt32BE(4 * word[name]);
  if (read('version') !== version || read('bitsPerPixel') !== 8 * pixelBytes)
    throw refused(`it has version ${read('version')} and ${read('bitsPerPixel')} bits a pixel`);
  const [width, height, lineBytes] = [read('width'), read('height'), read('lineBytes')];
  const from = read('headerBytes') + colourBytes * read('colours');
  if (lineBytes < width * pixelBytes || screen.length < from + lineBytes * height) throw refused('it is cut off');
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, at = from + y * lineBytes; x < width; x++, at += pixelBytes, to += 3) {
      pixels[to] = screen[at + 2]!;
      pixels[to + 1] = screen[at + 1]!;
      pixels[to + 2] = screen[at]!;
    }
  return pngFile({ width, height, colourType: 2 }, pixels);
}

const refused = (what: string) => new CoexistError('no-display', `the screen of Xvfb cannot be read: ${what}`);
