/** Tests the stalls of the second implementation: the rule of the frame period, and the threshold of the study. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { skip, verifierIn } from './verifier.ts';

describe('stalls recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const verify = verifierIn(place);

  test('stalls follow the frame period, and the threshold of the study', async () => {
    // the frames of every trial have one gap, of 300 ms
    const none = { 'stall-count': 0, 'stall-time': 0 };
    const ofStalls = ({ differing }: { differing: string[] }) =>
      differing.filter(name => name.endsWith(' of 0001-base')).map(name => name.split(' ')[0]!);
    assert.deepEqual(ofStalls(await verify({ frameRate: 20 })), []); // stalls are longer than 250 ms
    assert.deepEqual(ofStalls(await verify({ frameRate: 15, stated: none })), []); // stalls are longer than 333 ms
    assert.deepEqual(ofStalls(await verify({ frameRate: 15 })), ['stall-count', 'stall-time']);
    assert.deepEqual(ofStalls(await verify({ frameRate: 15, headlineStallMs: 299 })), []);
    assert.deepEqual(ofStalls(await verify({ headlineStallMs: 301, stated: none })), []);
  });
});
