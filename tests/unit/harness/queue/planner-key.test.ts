import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkedKeyName, distrust, PlannerKey, readSigned } from '../../../../harness/queue/planner-key.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

test('what a trusted planner has signed is taken, and nothing that differs in one character', () => {
  const [key, other] = [PlannerKey.temporary(), PlannerKey.temporary()];
  const trusted = new Set([key.name]);
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
      const signed = key.sign(text);
      assert.equal(distrust(signed, trusted), null);
      const k = at % text.length;
      const changed = `${text.slice(0, k)}${String.fromCharCode(text.charCodeAt(k) ^ 1)}${text.slice(k + 1)}`;
      if (Buffer.from(changed).equals(Buffer.from(text))) return; // different lone surrogates become the same character
      assert.equal(distrust({ ...signed, text: changed }, trusted), 'its signature is not valid');
    }),
  );
  assert.match(distrust(other.sign('x'), trusted)!, /which is not in this worker's --trust$/);
  const long = distrust({ ...other.sign('x'), key: 'a\n'.repeat(5000) }, trusted);
  assert.match(long!, /^it is signed with the key "a\\n[^\n]{1,100}, which is not in this worker's --trust$/);
  assert.equal(distrust({ ...other.sign('x'), key: key.name }, trusted), 'its signature is not valid');
  assert.equal(distrust({ ...key.sign('x'), signature: '' }, trusted), 'its signature is not valid');
});

test("a user's key is made once and readable only by its owner; a file that is not a key is refused", () => {
  const path = join(folder, 'deep/planner.pem');
  assert.equal(PlannerKey.ofUser(path).name, PlannerKey.ofUser(path).name);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(join(folder, 'bad.pem'), 'none');
  assert.throws(() => PlannerKey.ofUser(join(folder, 'bad.pem')), {
    code: 'usage',
    message: /bad\.pem does not contain a readable Ed25519 private key/,
  });
});

test('names of keys, and what lies in a queue, are looked at before they are used', () => {
  const { name } = PlannerKey.temporary();
  assert.equal(checkedKeyName(name), name);
  for (const wrong of ['', 'x', name.slice(1), `${name}A`, '!'.repeat(43)])
    assert.throws(() => checkedKeyName(wrong), { code: 'usage' });
  fc.assert(fc.property(fc.anything(), data => assert.equal(readSigned(data), undefined)));
});

test('no new key begins like an option of a command line, as one of 64 would', () => {
  for (let k = 0; k < 1000; k++) assert.doesNotMatch(PlannerKey.temporary().name, /^-/);
});
