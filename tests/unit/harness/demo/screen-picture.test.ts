import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pictureOf } from '../../../../harness/demo/screen-picture.ts';
import { decodePng } from '../../../../harness/services/web-page/png.ts';

/**
 * Returns a screen of 2x2 pixels in Xvfb's format: a header with a name, two colours in the table, lines of 12 bytes.
 */
function screen(change: Record<number, number> = {}): Buffer {
  const header = Buffer.alloc(104);
  const words = { 0: 104, 1: 7, 4: 2, 5: 2, 11: 32, 12: 12, 19: 2, ...change };
  for (const [place, value] of Object.entries(words)) header.writeUInt32BE(value, 4 * Number(place));
  const line = (...pixels: number[]) => {
    const bytes = Buffer.alloc(12, 0xee);
    pixels.forEach((pixel, k) => bytes.writeUInt32LE(pixel, 4 * k));
    return bytes;
  };
  return Buffer.concat([header, Buffer.alloc(24, 0xdd), line(0xff8000, 0x0000ff), line(0x123456, 0xffffff)]);
}

test('each pixel has its colour, and the padding of a line is none', () => {
  const { width, height, data } = decodePng(pictureOf(screen()));
  assert.deepEqual([width, height], [2, 2]);
  assert.deepEqual([...data], [255, 128, 0, 255, 0, 0, 255, 255, 0x12, 0x34, 0x56, 255, 255, 255, 255, 255]);
});

test('what is no such screen is refused with what is wrong', () => {
  const refused = (file: Buffer, message: RegExp) =>
    assert.throws(() => pictureOf(file), { code: 'no-display', message });
  refused(screen({ 1: 6 }), /it has version 6 and 32 bits a pixel/);
  refused(screen({ 11: 24 }), /24 bits a pixel/);
  refused(screen({ 5: 3 }), /it is cut off/);
  refused(Buffer.alloc(10), /it is cut off/);
});
