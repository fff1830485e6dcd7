import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipFactsSchema } from '../../../../core/vocabulary/clip-facts.ts';
import { clipChanges, clipNotes, clipWords } from '../../../../core/vocabulary/clip-words.ts';
import { clipFacts, clipPiece } from '../../harness/support/clip-facts.ts';

const stream = { width: 1280, height: 720, frameRate: 60 };

test('what a clip is: codec, sizes, rates, length, colours', () => {
  assert.equal(clipWords(clipFacts()), 'h264, 1280\u00d7720, 60 fps, 0.50 s, BT.709 in limited range');
  const call = clipFacts({
    fileSeconds: 3600,
    seconds: 15,
    frames: 300,
    frameRate: null,
    intervals: { leastS: 1 / 30, mostS: 2 },
    pieces: [
      clipPiece({ range: 'full', matrix: 'BT.601', assumed: ['matrix'] }),
      clipPiece({ width: 640, height: 480, range: 'full', matrix: 'BT.601', assumed: ['matrix'] }),
    ],
  });
  assert.equal(
    clipWords(call),
    'h264, 1280\u00d7720, then 640\u00d7480, uneven frames, 0.5 to 30 fps (20 on average), 15.00 s of 3600 s, ' +
      'BT.601 in full range (matrix assumed)',
  );
  assert.match(clipWords(clipFacts({ frames: 1, intervals: null })), /, one frame, /);
});

test('nothing is said to be done to a clip that is sent as it is', () => {
  assert.deepEqual(clipChanges(clipFacts(), stream), []);
  assert.deepEqual(clipNotes(clipFacts({ stillRatio: 0.5 })), []);
});

test('what is done to it, once each', () => {
  const phone = { width: 1920, height: 1080, shownWidth: 1080, shownHeight: 1920, degrees: 90 };
  const facts = clipFacts({
    broken: 2,
    breaks: 1,
    untimed: 3,
    leftOutS: 3598.03,
    frameRate: 30,
    pieces: [clipPiece({ ...phone, range: 'full' }), clipPiece({ ...phone, transfer: 'hlg', matrix: 'BT.2020' })],
  });
  assert.deepEqual(clipChanges(facts, stream), [
    '2 broken packets left out',
    'times joined where they begin anew (1 place)',
    'times made up for 3 frames that the file has none for',
    'ended before a frame that comes 3598 s after the one before it',
    'turned as the file asks (90\u00b0)',
    'full range made limited',
    'scaled to 1280\u00d7720, bars left and right',
    'tone-mapped to a usual display',
    'BT.2020 made BT.709',
    'resampled to 60 fps',
  ]);
  const wide = clipFacts({ pieces: [clipPiece({ shownWidth: 1024, shownHeight: 576, pixelAspect: 64 / 45 })] });
  assert.deepEqual(clipChanges(wide, stream), [
    'made 1024\u00d7576: its pixels are 1.422 times as wide as high',
    'scaled to 1280\u00d7720',
  ]);
});

test('facts of a stranger are within bounds', () => {
  assert.ok(clipFactsSchema.safeParse(clipFacts()).success);
  for (const bad of [
    clipFacts({ frames: 0 }),
    clipFacts({ seconds: 0 }),
    clipFacts({ frameRate: Infinity }),
    clipFacts({ pieces: [] }),
    clipFacts({ pieces: Array(51).fill(clipPiece()) }),
    clipFacts({ codec: 'x'.repeat(200) }),
    { ...clipFacts(), more: 1 },
  ])
    assert.ok(!clipFactsSchema.safeParse(bad).success);
});
