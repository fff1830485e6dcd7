import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDefault } from '../../../shaper/doctor/default-link.ts';

test('says which backend a machine gets, why, how punctual it is and what it costs', () => {
  assert.match(
    describeDefault('emulator', { scheduling: 'fifo', memory: 'locked' }),
    /^emulator, serialising: each packet leaves when its last bit .*; real-time priority, memory locked; takes about .* of a core at 40 Mbit\/s, .* at 100 Mbit\/s$/,
  );
  assert.match(
    describeDefault('emulator', { scheduling: 'normal', memory: 'unlocked' }),
    /; normal priority, since this user may set no other: busy processors make its packets late, memory not locked: paging may make packets late; takes/,
  );
});

test('a delay line has a cost of its own', () => {
  assert.match(
    describeDefault('tc+line', { scheduling: 'fifo', memory: 'locked' }),
    /real-time .*; its delay line takes/,
  );
});

test('a link that the kernel forms alone has no program that could be late', () => {
  assert.equal(
    describeDefault('tc', null),
    'tc, not serialising: no flow can tell it from one that is; takes next to no processor time',
  );
});
