/**
 * Links of libwebrtc's tests in virtual time with the controllers that libwebrtc has too, and with the first SCReAM: the
 * published ranges that each misses. The ranges are those of libwebrtc's SCReAMv2, which differs from the draft: it
 * backs off after three round trips with losses, and drains the queue to find the delay of the path again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresOf, shippedPlan } from './virtual-failures.ts';

/** Expectations that fail, by case and sender. All others pass. */
const failing: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'libwebrtc-scream-1mbit-50ms-loss': { gcc: ['highest-estimate'] },
  'libwebrtc-scream-1mbit-50ms-return-loss': { 'scream-v2': ['highest-estimate'], scream: ['lowest-estimate'] },
  'libwebrtc-scream-1mbit-50ms-short-queue': { gcc: ['queue-dropped-share'] },
  'libwebrtc-scream-1mbit-100ms-ecn': {
    'scream-v2': ['lowest-estimate', 'highest-estimate'],
    scream: ['lowest-estimate', 'highest-estimate'],
  },
  'libwebrtc-scream-2mbit-50ms': { scream: ['lowest-estimate'] },
  'libwebrtc-scream-2mbit-50ms-ecn': {
    gcc: ['lowest-estimate', 'highest-estimate'],
    'scream-v2': ['lowest-estimate', 'highest-estimate'],
    scream: ['lowest-estimate'],
  },
  'libwebrtc-scream-2mbit-pauses': {
    gcc: ['highest-estimate'],
    'scream-v2': ['lowest-estimate'],
    scream: ['lowest-estimate'],
  },
  'libwebrtc-scream-3mbit-80ms-loss-1': {
    gcc: ['highest-estimate'],
    'scream-v2': ['lowest-estimate'],
    scream: ['lowest-estimate'],
  },
  'libwebrtc-scream-3mbit-80ms-loss-5': { gcc: ['highest-estimate'] },
  'libwebrtc-scream-4mbit-50ms-jitter': { scream: ['lowest-estimate'] },
  'libwebrtc-scream-4mbit-pauses': { 'scream-v2': ['lowest-estimate'], scream: ['lowest-estimate'] },
  'libwebrtc-scream-5mbit-pauses': { scream: ['lowest-estimate'] },
  'libwebrtc-scream-5mbit-tcp': { gcc: ['lowest-estimate'], scream: ['lowest-estimate'] },
  'libwebrtc-scream-50mbit-20ms': { gcc: ['estimate-at-end'], scream: ['estimate-at-end'] },
  'libwebrtc-scream-100kbit-50ms': { scream: ['highest-estimate'] },
  'libwebrtc-scream-500kbit-30ms': { scream: ['highest-estimate'] },
  'libwebrtc-scream-500kbit-to-5mbit': {
    gcc: ['estimate-at-end'],
    'scream-v2': ['lowest-estimate', 'highest-estimate'],
    scream: ['highest-estimate'],
  },
  'libwebrtc-scream-600kbit-100ms': { 'scream-v2': ['highest-estimate'], scream: ['highest-estimate'] },
  'libwebrtc-scream-600kbit-100ms-gcc': { scream: ['estimate-at-end'] },
  'libwebrtc-scream-1500kbit-30ms': { scream: ['lowest-estimate'] },
  'libwebrtc-scream-delay-step': {
    gcc: ['highest-estimate'],
    'scream-v2': ['estimate-at-end'],
    scream: ['highest-estimate'],
  },
  'libwebrtc-scream-feedback-pause': { gcc: ['least-rate'] },
};

const plan = await shippedPlan('libwebrtc');
const run = plan.cases.filter(({ id, notRun }) => notRun === null && id !== 'libwebrtc-scream-3mbit-80ms-reordering');

for (const { id } of run)
  test(`${id} in virtual time: what gcc, scream-v2 and scream miss`, () => {
    for (const sender of ['gcc', 'scream-v2', 'scream']) {
      const { failed, words } = failuresOf(plan, id, sender);
      assert.deepEqual(failed, failing[id]?.[sender] ?? [], `${sender}: ${words}`);
    }
  });
