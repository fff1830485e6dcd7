import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeVerdict } from '../../../../harness/cli/lines.ts';
import type { Finding } from '../../../../harness/record/trial-file.ts';

const finding = (status: Finding['status'], message: string): Finding => ({ kind: 'host', status, message });

test('what decided comes first, and notes are counted where nothing else is to be said', () => {
  assert.equal(
    describeVerdict({
      status: 'invalid',
      findings: [finding('note', 'n'), finding('degraded', 'd'), finding('invalid', 'i')],
    }),
    'VOID: i; d',
  );
  assert.equal(describeVerdict({ status: 'valid', findings: [finding('note', 'n')] }), 'valid (1 note in the report)');
  assert.doesNotMatch(describeVerdict({ status: 'valid', findings: [] }), /:/);
});

test('of many reasons the first are said, and how many more there are', () => {
  const findings = Array.from({ length: 30 }, (_, k) => finding('invalid', `reason ${k + 1}`));
  assert.equal(
    describeVerdict({ status: 'invalid', findings }),
    'VOID: reason 1; reason 2; reason 3; reason 4; 26 more in the report',
  );
});
