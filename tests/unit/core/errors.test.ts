import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError, exitStatus, isErrorCode, writeError } from '../../../core/errors.ts';

test('an error prints its message and its mend, and knows its exit status', () => {
  const error = new CoexistError('no-root', 'needs root', { hint: 'use sudo' });
  assert.equal(error.line, 'needs root\n  -> use sudo');
  assert.equal(error.exitStatus, exitStatus.machineCannot);
  assert.equal(new CoexistError('usage', 'x').exitStatus, 1);
  assert.equal(new CoexistError('browser-died', 'x').exitStatus, 3);
  assert.equal(new CoexistError('disk-full', 'x').exitStatus, 5);
  assert.equal(new CoexistError('interrupted', 'x').exitStatus, 130);
});

test('a full disk is named as such, other write failures by their code', () => {
  assert.equal(writeError(Object.assign(new Error('no space'), { code: 'ENOSPC' }), '/x').code, 'disk-full');
  const denied = writeError(Object.assign(new Error('no'), { code: 'EACCES' }), '/x');
  assert.equal(denied.code, 'cannot-write');
  assert.match(denied.message, /\/x.*EACCES/);
  const own = new CoexistError('usage', 'mine');
  assert.equal(writeError(own, '/x'), own);
});

test('codes that arrive over a wire are checked against the catalogue', () => {
  assert.ok(isErrorCode('disk-full'));
  assert.ok(!isErrorCode('toString'));
  assert.ok(!isErrorCode('made-up'));
});
