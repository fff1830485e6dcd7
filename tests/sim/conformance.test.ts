/**
 * Cases of RFC 8867 in virtual time with each controller of the media server: the expectations that a controller fails.
 * They show what a change of a controller does to its exam, before a trial.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualValues } from '../../harness/studies/conformance/virtual-cell.ts';
import { failuresOf, means, shippedPlan } from './virtual-failures.ts';

/** Expectations that fail, by case and sender. */
const failing: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'rfc8867-5.1': {
    gcc: ['time-to-converge'],
    'scream-v2': [],
    scream: ['queue-wait-p95', 'time-to-leave-queue'],
    nada: ['queue-wait-p95'],
    copa: ['queue-wait-p95'],
    'webrtc-bbr': ['queue-wait-p95', 'queue-dropped-share', 'time-to-leave-queue'],
    remb: ['time-to-converge', 'time-to-leave-queue'],
    fixed: ['used-share', 'time-to-converge'],
  },
  'rfc8867-5.2': {
    gcc: [],
    'scream-v2': ['time-to-converge', 'jain-index-media'],
    scream: ['queue-wait-p95', 'time-to-leave-queue'],
    nada: ['time-to-leave-queue'],
    copa: ['queue-wait-p95'],
    'webrtc-bbr': ['queue-wait-p95', 'queue-dropped-share', 'time-to-leave-queue'],
    remb: ['queue-wait-p95', 'queue-dropped-share', 'time-to-converge', 'time-to-leave-queue', 'rate-variation'],
    fixed: ['used-share', 'time-to-converge'],
  },
  'rfc8867-5.3': {
    gcc: ['time-to-converge'],
    'scream-v2': [],
    scream: ['queue-wait-p95', 'time-to-leave-queue'],
    nada: [],
    copa: [],
    'webrtc-bbr': ['queue-wait-p95', 'queue-dropped-share', 'time-to-leave-queue'],
    remb: ['queue-wait-p95', 'time-to-converge', 'time-to-leave-queue'],
    fixed: ['used-share', 'time-to-converge', 'least-rate'],
  },
  'rfc8867-5.4': {
    gcc: ['time-to-fair'],
    'scream-v2': ['jain-index-media', 'least-share'],
    scream: ['queue-wait-p95'],
    nada: [],
    copa: [],
    'webrtc-bbr': ['queue-wait-p95', 'queue-dropped-share'],
    remb: ['time-to-converge'],
    fixed: ['used-share', 'time-to-converge', 'least-share'],
  },
  'rfc8867-5.6': {
    gcc: ['least-share'],
    'scream-v2': ['least-share'],
    scream: [],
    nada: ['least-share'],
    copa: [],
    'webrtc-bbr': [],
    remb: ['least-share'],
    fixed: ['least-share'],
  },
  'rfc8867-6.3': {
    gcc: ['jain-index-media'],
    'scream-v2': ['least-share', 'jain-index-media'],
    scream: ['queue-wait-p95', 'jain-index-media'],
    nada: ['least-share', 'jain-index-media'],
    copa: ['queue-wait-p95'],
    'webrtc-bbr': ['queue-wait-p95'],
    remb: [],
    fixed: ['used-share', 'least-share'],
  },
};

const plan = await shippedPlan('conformance');

for (const [id, senders] of Object.entries(failing))
  for (const [sender, expected] of Object.entries(senders))
    test(`${id} in virtual time: what ${sender} fails`, () => {
      const { failed, words } = failuresOf(plan, id, sender);
      assert.deepEqual(failed, expected, words);
    });

const codel = { id: 'codel', title: 'CoDel', source: 'own', window: '10s', media: { 'media-1': {} }, expects: {} };
const shared = { ...codel, id: 'both-parts', marks: true, beside: { tcp: { service: { id: 'iperf' }, start: '0s' } } };
const link = (aqm: string) => ({ rate: '1mbit', queue: { limit: '300ms', aqm, ecn: true } }) as const;
const odd = await shippedPlan('conformance', {
  cases: [{ ...codel, link: link('codel') }, { ...shared, link: link('dualpi2') }, 'libwebrtc'],
});

test('what is not in virtual time says so', () => {
  const reasonOf = (condition: string) => String(virtualValues(condition, odd, means));
  assert.match(String(virtualValues('rfc8867-5.1-chromium-gcc', plan, means)), /is a program of its own$/);
  assert.equal(reasonOf('codel-gcc'), 'its queue is CoDel');
  assert.equal(reasonOf('both-parts-scream-v2'), 'its queue is DualPI2, with traffic in both of its parts');
  assert.equal(reasonOf('libwebrtc-scream-3mbit-80ms-reordering-gcc'), 'its path reorders packets');
});
