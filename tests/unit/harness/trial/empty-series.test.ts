import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptySeriesFindings } from '../../../../harness/trial/empty-series.ts';

const watched = { file: 'ping.jsonl', records: 0, watchedMs: 10_000, means: 'no answer came' };

test('an empty series makes a trial void, with its name and what that means', () => {
  assert.deepEqual(emptySeriesFindings([watched, { ...watched, file: 'tunnel.jsonl', records: 3 }]), [
    { kind: 'failure', status: 'invalid', message: 'ping.jsonl is empty: no answer came' },
  ]);
});

test('what was watched for a moment only may be empty', () => {
  assert.deepEqual(emptySeriesFindings([{ ...watched, watchedMs: 1000 }]), []);
});
