/** Tests the second implementation on packets that a queue dropped, of which the log of the media has only RTP. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { skip, verifierIn } from './verifier.ts';

describe('drops recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const verify = verifierIn(place);
  const differs = async (queueLoss: number, droppedBeside: number) => {
    const { differing } = await verify({ stated: { 'queue-loss': queueLoss }, droppedBeside });
    return differing.includes('queue-loss of 0001-base');
  };

  test('reports and other packets without RTP that the queue dropped are among the losses', async () => {
    assert.equal(await differs(3 / 1003, 3), false);
    assert.equal(await differs(0, 3), false, 'they may be the ones at the ends of the window');
    assert.equal(await differs(5 / 1005, 3), true, 'no more packets than the queue dropped');
    assert.equal(await differs(3 / 1003, 0), true);
  });
});
