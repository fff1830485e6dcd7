import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConservation, checkRecords } from '../../../../harness/trial/sound-log.ts';
import { conservationOf } from '../../../../shaper/queue-log/conservation.ts';

test('a log that lost a record is not believed', () => {
  checkRecords({ records: 10, lost: 0 });
  assert.throws(() => checkRecords({ records: 9, lost: 1 }), {
    code: 'link-refused',
    message: 'the queue log lost 1 of 10 records',
  });
});

test('a log in which packets are unaccounted for is not believed', () => {
  const empty = conservationOf([]);
  checkConservation(empty);
  assert.throws(
    () =>
      checkConservation({
        ...empty,
        enqueuedPackets: 5,
        dequeuedPackets: 3,
        droppedPackets: 1,
        waitingPackets: 1,
        holds: false,
      }),
    {
      code: 'link-refused',
      message: 'packets at the bottleneck are unaccounted for: 5 came in, 3 left, 1 were dropped, 1 should wait, 0 do',
    },
  );
});

test('packets in the queue whose enqueue is not reported yet are accounted for', () => {
  // measured with CUBIC on a kernel that ran no program in some interrupts: 480 packets waited by the log, 486 were in
  // the queue
  const late = { ...conservationOf([]), waitingPackets: 480, queuePackets: 486, holds: false };
  checkConservation(late, 6);
  // a packet that was just offered at the end of the log counts, too
  checkConservation(late, 7);
  const message = /: 0 came in, 0 left, 0 were dropped, 480 should wait, 486 do$/;
  assert.throws(() => checkConservation(late, 5), { code: 'link-refused', message });
  assert.throws(() => checkConservation({ ...late, queuePackets: 479 }, 6), { code: 'link-refused' });
  assert.throws(() => checkConservation({ ...late, unseenPackets: 1 }, 6), { code: 'link-refused' });
  assert.throws(() => checkConservation({ ...late, repeatedPackets: 1 }, 6), { code: 'link-refused' });
});
