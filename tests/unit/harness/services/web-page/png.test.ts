import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodePng } from '../../../../../harness/services/web-page/png.ts';
import { fileOf, filteredRows, header, height, pngFile, wanted, width } from './support/png-file.ts';

for (const channels of [3, 4] as const) {
  test(`${channels} channels, every filter, data in several chunks`, () => {
    const pixels = decodePng(pngFile(header(channels), filteredRows(channels)));
    assert.deepEqual([pixels.width, pixels.height], [width, height]);
    assert.deepEqual(
      [...pixels.data],
      wanted.flatMap(([red, green, blue, alpha]) => [red, green, blue, channels === 4 ? alpha : 255]),
    );
  });
}

const rows = filteredRows(3);
const data = deflateSync(rows);
const whole = pngFile(header(3), rows);
const refused: [what: string, file: Buffer, says: string][] = [
  ['no PNG', Buffer.from('GIF89a'), 'it is no PNG file'],
  ['nothing behind its first bytes', whole.subarray(0, 8), 'it has no header'],
  ['a header that is cut', fileOf(['IHDR', header(3).subarray(0, 7)], ['IDAT', data]), 'it has no header'],
  ['data before the header', fileOf(['IDAT', data], ['IHDR', header(3)]), 'it has no header'],
  ['palette', fileOf(['IHDR', Buffer.from(header(3)).fill(3, 9, 10)], ['IDAT', data]), 'depth 8 and colour type 3'],
  ['nothing in it', pngFile(header(3, { width: 0, height: 5 }), rows), '0x5 pixels'],
  // a width of 0 gives no pixels at any height, but the rows would take time
  ['rows of nothing', pngFile(header(3, { width: 0, height: 2 ** 32 - 1 }), rows), '0x4294967295 pixels'],
  ['too large', pngFile(header(3, { width: 2 ** 13, height: 2 ** 13 }), rows), '8192x8192 pixels'],
  ['a chunk that goes on behind its end', whole.subarray(0, -14), 'it is cut off'],
  ['no data', fileOf(['IHDR', header(3)], ['IEND', Buffer.alloc(0)]), 'its data'],
  ['data that are none', fileOf(['IHDR', header(3)], ['IDAT', Buffer.from('data')]), 'its data'],
  ['a row too few', pngFile(header(3), rows.subarray(0, -13)), 'its data have 52 bytes, not 65'],
  ['a row too many', pngFile(header(3), Buffer.concat([rows, rows.subarray(0, 13)])), 'its data'],
  ['a filter that there is not', pngFile(header(3), Buffer.from(rows).fill(5, 13, 14)), 'its row 2 has filter 5'],
];

for (const [what, file, says] of refused)
  test(`refused in one line: ${what}`, () => {
    assert.throws(
      () => decodePng(file),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'browser-failed');
        assert.ok(error.message.startsWith("the browser's screenshot cannot be read: "), error.message);
        assert.ok(error.message.includes(says) && !error.message.includes('\n'), error.message);
        return true;
      },
    );
  });
