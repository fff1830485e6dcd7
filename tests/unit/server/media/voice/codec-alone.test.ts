import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVoice } from '../../../../../server/media/voice/clip.ts';
import { codecAlone } from '../../../../../server/media/voice/codec-alone.ts';

const rate = 48_000;
const clip = loadVoice(null).subarray(0, 4 * rate);

/** Highest correlation of a second of the clip with what was decoded, at a delay of 0 to 20 ms. */
function agreement(decoded: Int16Array): number {
  let highest = 0;
  for (let delay = 0; delay < rate / 50; delay++) {
    let [product, own, other] = [0, 0, 0];
    for (let i = 2 * rate; i < 3 * rate; i += 3) {
      product += clip[i]! * decoded[i + delay]!;
      own += clip[i]! ** 2;
      other += decoded[i + delay]! ** 2;
    }
    highest = Math.max(highest, product / Math.sqrt(own * other));
  }
  return highest;
}

test('what is decoded is the voice, and the more so the higher the bitrate', async () => {
  const at = async (bitrateBps: number, frameMs: number) => {
    const decoded = await codecAlone(clip, { bitrateBps, frameMs, fec: true, dtx: false });
    assert.equal(decoded.length, clip.length);
    return agreement(decoded);
  };
  const [low, middle, high] = [await at(8e3, 60), await at(24e3, 20), await at(64e3, 20)];
  assert.ok(low < middle && middle < high, `${low} ${middle} ${high}`);
  assert.ok(middle > 0.9 && high > 0.95, `${middle} ${high}`);
});

test('frames that are not sent, in silence, are silent', async () => {
  const silent = await codecAlone(new Int16Array(rate), { bitrateBps: 32e3, frameMs: 20, fec: false, dtx: true });
  assert.ok(silent.every(sample => Math.abs(sample) < 10));
});
