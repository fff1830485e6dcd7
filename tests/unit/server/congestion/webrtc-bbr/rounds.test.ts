import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from '../../../../../server/congestion/webrtc-bbr/rounds.ts';

test('a round starts with a packet that left after the round before it began', () => {
  const rounds = new Rounds();
  for (let sequence = 0; sequence < 10; sequence++) rounds.onSent(sequence);
  assert.equal(rounds.onAcked(2), true, 'the first');
  assert.equal(rounds.onAcked(9), false, 'left before the first acknowledgement');
  rounds.onSent(10);
  assert.equal(rounds.onAcked(10), true);
  assert.equal(rounds.count, 2);
});

test('an extended round waits for what is sent from now on', () => {
  const rounds = new Rounds();
  rounds.onSent(0);
  rounds.onAcked(0);
  rounds.onSent(1);
  rounds.extend();
  assert.equal(rounds.onAcked(1), false);
  rounds.onSent(2);
  assert.equal(rounds.onAcked(2), true);
});
