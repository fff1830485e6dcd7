import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../../../../core/schema/schema.ts';
import { paramsSchema } from '../../../../harness/services/live-clip/params.ts';
import { chooseEncoder } from '../../../../server/media/encoder-kinds.ts';
import { presetObstacle } from '../../../../server/media/encoder-names.ts';

describe('a preset that no encoder has is refused before anything runs, with the names that are right', () => {
  for (const [preset, encoder, message] of [
    ['ultrafastt', 'auto', /no preset "ultrafastt"; did you mean "ultrafast"\? \(.*libx264: ultrafast, superfast/],
    ['Veryfast', 'libx264', /no preset "Veryfast"; did you mean "veryfast"\?/],
    ['p1', 'libx264', /no preset "p1".*\(libx264: [^;]*\)$/],
    ['p8', 'h264_nvenc', /no preset "p8".*\(h264_nvenc: p1, /],
    ['', 'auto', /no preset ""/],
  ] as const)
    test(`${encoder} ${preset}`, () => {
      assert.match(presetObstacle(encoder, preset)!, message);
      assert.throws(() => check(paramsSchema, { encoder, preset }, 'service'), { code: 'bad-definition' });
    });
});

test('one that an encoder has is taken', () => {
  for (const [encoder, preset] of [
    ['auto', 'p1'],
    ['auto', 'placebo'],
    ['libx264', 'fast'],
    ['auto', undefined],
  ] as const)
    assert.equal(presetObstacle(encoder, preset), undefined);
});

test('"auto" passes over an encoder that lacks the preset', async () => {
  const { kind, passedOver } = await chooseEncoder('auto', 'superfast');
  assert.deepEqual([kind.codec, passedOver], ['libx264', ['h264_nvenc: it has no preset "superfast"']]);
});
