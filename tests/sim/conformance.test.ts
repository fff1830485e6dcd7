/**
 * Cases of RFC 8867 in virtual time with each controller of the media server: the expectations that a controller fails.
 * They show what a change of a controller does to its exam, before a trial.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin } from '../../harness/studies/conformance/index.ts';
import { makeConformancePlan } from '../../harness/studies/conformance/plan.ts';
import { virtualOutcome, virtualValues } from '../../harness/studies/conformance/virtual-cell.ts';
import { loadControllers } from '../../harness/studies/conformance/virtual-course.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';

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
    nada: ['jain-index-media'],
    copa: ['queue-wait-p95'],
    'webrtc-bbr': ['queue-wait-p95', 'queue-dropped-share'],
    remb: [],
    fixed: ['used-share', 'least-share'],
  },
};

const means = { registries: await loadRegistries(), controllers: await loadControllers() };
const { definition } = await plugin.load('conformance');
const plan = await makeConformancePlan('conformance', definition, means.registries);

for (const [id, senders] of Object.entries(failing))
  for (const [sender, expected] of Object.entries(senders))
    test(`${id} in virtual time: what ${sender} fails`, () => {
      const { expectations } = plan.cases.find(one => one.id === id)!;
      const values = virtualValues(`${id}-${sender}`, plan, means);
      assert.ok(typeof values !== 'string', String(values));
      const failed = expectations.filter(one => virtualOutcome([one], values).verdict === 'failed');
      assert.deepEqual(
        failed.map(({ measure }) => measure),
        expected,
        JSON.stringify(values),
      );
    });

test('a browser and a queue with an AQM are not in virtual time, and say so', () => {
  const reasonOf = (condition: string) => virtualValues(condition, plan, means);
  assert.match(String(reasonOf('rfc8867-5.1-chromium-gcc')), /is a program of its own$/);
  assert.equal(reasonOf('rfc8867-6.2-5.1-nada'), 'its queue is DualPI2');
});
