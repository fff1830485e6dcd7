import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkLog } from '../../../../shaper/mahimahi/link-log.ts';

const of = (...parts: string[]) => {
  const log = new LinkLog();
  for (const part of parts) log.push(part);
  return log;
};
const empty = { sentPackets: 0, sentBytes: 0, droppedPackets: 0, waitingPackets: 0, waitingBytes: 0 };

test('counts what left, what was dropped on arrival, and what waits', () => {
  const log = of(
    '# mahimahi mm-link (Downlink)\n# queue: droptail [packets=2]\n# base timestamp: 3\n',
    '5 + 1504\n5 + 104\n5 + 1504\n5 d 1 1504\n6 # 1504\n6 - 1504 1\n',
  );
  assert.equal(log.queue, 'droptail [packets=2]');
  assert.deepEqual(log.counters, {
    sentPackets: 1,
    sentBytes: 1504,
    droppedPackets: 1,
    waitingPackets: 1,
    waitingBytes: 104,
  });
});

test('a line may come in two parts', () => {
  assert.deepEqual(of('5 + 15', '04\n9 - 1504', ' 4\n').counters, { ...empty, sentPackets: 1, sentBytes: 1504 });
});

test('a packet that CoDel dropped without a line is missing when a later one leaves', () => {
  const log = of('5 + 1504\n6 + 1504\n7 + 104\n9 - 1504 4\n');
  assert.equal(log.counters.waitingPackets, 2);
  log.push('9 - 104 2\n');
  assert.deepEqual(log.counters, { ...empty, sentPackets: 2, sentBytes: 1608, droppedPackets: 1 });
});

test('forgets what was before, also what still waits', () => {
  const log = of('1 + 94\n1 + 94\n2 - 94 1\n');
  log.forget();
  assert.deepEqual(log.counters, empty);
  log.push('3 + 1504\n');
  assert.deepEqual(log.counters, { ...empty, waitingPackets: 1, waitingBytes: 1504 });
  log.push('4 - 94 3\n5 - 1504 2\n');
  assert.deepEqual(log.counters, { ...empty, sentPackets: 1, sentBytes: 1504 });
});
