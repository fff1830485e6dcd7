import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pacer } from './pacer.ts';

test('a full window: the call at the time asked for sends the keep-alive, whatever that time rounds to', () => {
  for (let i = 1; i <= 1000; i++) {
    let sent = 0;
    const pacer = new Pacer(5, () => sent++);
    pacer.apply({ pacingBps: 1e6, congestionWindowBytes: 1000 }, 0);
    pacer.enqueue([1000, 1000], 100 * i / 7);
    const nextMs = pacer.process(100 * i / 7);
    assert.equal(sent, 1);
    pacer.process(nextMs);
    assert.equal(sent, 2, `${nextMs}`);
  }
});
