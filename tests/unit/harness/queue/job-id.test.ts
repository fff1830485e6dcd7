import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jobId } from '../../../../harness/queue/job-id.ts';

const name = fc.record({ run: fc.string(), trial: fc.string(), attempt: fc.nat(), sending: fc.nat() });

test('the same trial has the same id, another one another, each a UUID of version 5', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      assert.match(jobId(a), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(jobId(a) === jobId(b), JSON.stringify(a) === JSON.stringify(b));
      assert.equal(jobId(a), jobId({ ...a }));
    }),
  );
});
