import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastDisturbed } from '../../../../../harness/analysis/summary/least-disturbed.ts';
import type { Finding, Verdict } from '../../../../../harness/record/trial-file.ts';

type Try = { name: string; verdict: Verdict; isMeasured: boolean };

const finding = (status: Finding['status'], kind: Finding['kind'] = 'host'): Finding => ({
  kind,
  status,
  message: 'm',
});
const tried = (name: string, findings: Finding[], isMeasured = true): Try => ({
  name,
  isMeasured,
  verdict: { status: 'invalid', findings },
});
const valid: Try = { name: 'valid', isMeasured: true, verdict: { status: 'valid', findings: [] } };
const twice = tried('twice', [finding('invalid'), finding('invalid')]);
const once = tried('once', [finding('invalid')]);

test('the one with the fewest disturbances over the limit, then below it, then the first', () => {
  const onceAndMore = tried('once and more', [finding('invalid'), finding('degraded')]);
  const again = tried('again', [finding('invalid'), finding('note')]);
  assert.equal(leastDisturbed([twice, onceAndMore, once, again])?.name, 'once');
  assert.equal(leastDisturbed([twice, onceAndMore])?.name, 'once and more');
  assert.equal(leastDisturbed([again, once])?.name, 'again');
});

test('none where one is valid, or disturbed and valid', () => {
  assert.equal(leastDisturbed([once, valid]), undefined);
  assert.equal(
    leastDisturbed([once, { ...valid, verdict: { status: 'degraded', findings: [finding('degraded')] } }]),
    undefined,
  );
});

test('a try without a window, in which a part failed, or on another link than asked for cannot be shown', () => {
  const unshown = [
    tried('no window', [finding('invalid')], false),
    tried('failed', [finding('invalid', 'failure')]),
    tried('link', [finding('invalid'), finding('invalid', 'link')]),
  ];
  assert.equal(leastDisturbed(unshown), undefined);
  assert.equal(leastDisturbed([...unshown, twice])?.name, 'twice');
  assert.equal(leastDisturbed([]), undefined);
});

test('a verdict that says valid of a try without a window hides no other', () => {
  assert.equal(leastDisturbed([{ ...valid, isMeasured: false }, once])?.name, 'once');
});
