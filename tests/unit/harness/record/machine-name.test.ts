import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineName } from '../../../../harness/record/machine-name.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = temporaryFolder();

test('machines of one host name are told apart by their machine-id, and one without has its host name', () => {
  writeFileSync(join(root, 'id-a'), 'aaaa\n');
  writeFileSync(join(root, 'id-b'), 'bbbb\n');
  const [a, b, none] = ['id-a', 'id-b', 'no-such'].map(name => machineName(join(root, name)));
  assert.match(a!, /-[0-9a-f]{4}$/);
  assert.notEqual(a, b);
  assert.equal(a!.slice(0, -5), none);
});
