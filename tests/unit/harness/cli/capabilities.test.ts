import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedBy, describeCapabilities } from '../../../../harness/cli/capabilities.ts';

const capability = {
  id: 'a',
  title: 'A',
  works: true,
  required: true,
  found: 'yes',
  cost: 'no trial',
  mend: 'mend it',
};
const lacking = { ...capability, id: 'b', title: 'Longer', works: false, found: 'no' };

test('what does not work says what it costs and what mends it', () => {
  assert.equal(
    describeCapabilities([capability, lacking, { ...lacking, required: false }]),
    [
      'ok   A       yes',
      'FAIL Longer  no',
      '             without it: no trial',
      '             fix: mend it',
      'no   Longer  no',
      '             without it: no trial',
      '             fix: mend it',
      '',
    ].join('\n'),
  );
  assert.deepEqual(blockedBy([capability, lacking, { ...lacking, required: false }]), [lacking]);
  assert.equal(describeCapabilities([]), '');
});

test('the words of another machine cannot steer the terminal', () => {
  assert.equal(describeCapabilities([{ ...capability, found: 'Linux \x1b[2J\x9b6n' }]), 'ok   A  Linux ?[2J?6n\n');
});
