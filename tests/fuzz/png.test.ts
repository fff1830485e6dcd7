/** Whatever a browser calls a screenshot, it is as many pixels as it says, or it is refused in a line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { decodePng } from '../../harness/services/web-page/png.ts';
import { cellsOf } from '../../harness/services/web-page/visual-progress.ts';
import { fileOf, filteredRows, header, pngFile } from '../unit/harness/services/web-page/support/png-file.ts';
import { processorMs } from '../unit/support/processor-time.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261127;
/** Of the processor, for one file: a small one takes less than a millisecond. */
const longestMs = 2000;
const channels = [3, 4] as const;

const sizes = fc.record({
  width: fc.oneof(fc.nat(9), fc.constantFrom(2 ** 12, 2 ** 24, 2 ** 31, 2 ** 32 - 1)),
  height: fc.oneof(fc.nat(9), fc.constantFrom(2 ** 12, 2 ** 24, 2 ** 31, 2 ** 32 - 1)),
});
const heads = fc.oneof(
  fc.constantFrom(...channels).map(count => header(count)),
  fc.tuple(fc.constantFrom(...channels), sizes).map(([count, size]) => header(count, size)),
  damaged(channels.map(count => header(count))),
);
const rows = fc.oneof(damaged(channels.map(filteredRows)), anyBytes(100));
const types = fc.constantFrom('IHDR', 'IDAT', 'IDAT', 'IEND', 'tEXt', 'PLTE');
const contents = fc.oneof(
  heads,
  rows,
  rows.map(bytes => deflateSync(bytes)),
);

const files = fc.oneof(
  damaged(channels.map(count => pngFile(header(count), filteredRows(count)))),
  fc.tuple(heads, rows).map(([head, bytes]) => pngFile(head, bytes)),
  fc.array(fc.tuple(types, contents), { maxLength: 5 }).map(chunks => fileOf(...chunks)),
  anyBytes(200),
);

test('screenshots', () => {
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(files, file => {
      const before = processorMs();
      try {
        const { width, height, data } = decodePng(file);
        seen.read++;
        assert.ok(width > 0 && height > 0);
        assert.equal(data.length, width * height * 4);
        assert.ok(cellsOf(data, width, height).every(value => value >= 0 && value <= 255));
      } catch (error) {
        seen.refused++;
        assert.ok(error instanceof CoexistError && error.code === 'browser-failed', (error as Error).stack);
        assert.ok(!error.message.includes('\n') && error.message.length < 300, error.message);
      }
      assert.ok(processorMs() - before < longestMs);
    }),
    effort(seed, 3000),
  );
  assert.ok(seen.read > 100 && seen.refused > 1000, JSON.stringify(seen));
});
