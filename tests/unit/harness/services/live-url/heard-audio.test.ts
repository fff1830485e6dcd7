import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeardAudio } from '../../../../../harness/services/live-url/heard-audio.ts';
import { audio } from './support/audio.ts';

test('streams keep their numbers, also over visits, and those without a packet are left out', () => {
  const heard = new HeardAudio();
  const numbers = (...readings: Parameters<HeardAudio['add']>[0]) => heard.add(readings).map(({ stream }) => stream);
  assert.deepEqual(numbers(audio, { ...audio, stream: 'b', packetsReceived: 0 }), [1]);
  assert.deepEqual(numbers({ ...audio, stream: 'c' }, { ...audio, stream: 'b' }, audio), [2, 3, 1]);
  const { stream: _, ...counters } = audio;
  assert.deepEqual(heard.add([audio]), [{ ...counters, stream: 1 }]);
});

test('a page with any number of streams has 256 in the record', () => {
  const heard = new HeardAudio();
  const many = Array.from({ length: 300 }, (_, k) => ({ ...audio, stream: `s${k}` }));
  assert.equal(heard.add(many).length, 256);
  assert.equal(heard.add(many.slice(290)).length, 0);
});
