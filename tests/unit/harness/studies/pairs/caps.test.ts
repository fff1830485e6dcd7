import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capOn, measuredCap } from '../../../../../harness/studies/pairs/caps.ts';
import { openLink, pairLink } from '../../../../../harness/studies/pairs/links.ts';

const solo = (link: ReturnType<typeof pairLink>, mbps: number) => ({
  link,
  throughput: { value: mbps * 1e6, low: null, high: null, n: 1, confidence: null },
});
const [eight, fifty] = [pairLink('8mbit'), pairLink('50mbit')];
const greedy = { nominalCapBps: null };
const call = { nominalCapBps: 2.6e6 };

test('who fills 95 % of a link has no cap there; who does not, has what it took', () => {
  assert.equal(capOn(eight, greedy, [solo(eight, 7.65)]), null);
  assert.equal(capOn(eight, greedy, [solo(eight, 7.5)]), 7.5e6);
  assert.equal(capOn(fifty, greedy, [solo(eight, 7.5)]), null, 'not measured there');
});

test('a cap is what was measured where nothing held it, not what it took of a narrow link', () => {
  assert.equal(capOn(eight, call, [solo(eight, 2.2), solo(fifty, 2.5)]), 2.5e6);
  assert.equal(capOn(eight, call, [solo(eight, 2.2)]), 2.6e6);
  assert.equal(capOn(eight, { nominalCapBps: 13e6 }, [solo(eight, 7), solo(openLink([13e6]), 12)]), 12e6);
});

test('a service without a cap has none to measure', () => {
  assert.equal(measuredCap(greedy, [solo(fifty, 20)]), null);
  assert.equal(measuredCap(call, [solo(eight, 2)]), null);
  assert.equal(measuredCap(call, [solo(fifty, 2.5)])?.value, 2.5e6);
});
