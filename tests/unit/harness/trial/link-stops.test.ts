import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostLimits as limits } from '../../../../core/vocabulary/host-limits.ts';
import { linkStopFindings } from '../../../../harness/trial/link-stops.ts';

const windowMs = 40_000;
const said = (longestMs: number, sumMs = longestMs, direction: { direction?: 'up' } = {}) =>
  linkStopFindings([{ ...direction, count: 3, longestMs, sumMs }], windowMs).map(({ kind, status, message }) => [
    kind,
    status,
    message,
  ]);

test('the longest stop of a link: up to a limit nothing is said, above it the trial is marked, then void', () => {
  const { degraded, invalid } = limits.linkStopMs;
  assert.deepEqual(said(degraded), []);
  assert.deepEqual(said(degraded + 1), [['host', 'degraded', 'the link stood still for 18 ms']]);
  assert.deepEqual(said(invalid), [['host', 'degraded', 'the link stood still for 50 ms']]);
  assert.deepEqual(said(invalid + 1), [['host', 'invalid', 'the link stood still for 51 ms']]);
});

test('many short stops count by the share of the window that they took', () => {
  const { degraded, invalid } = limits.linkStoppedShare;
  assert.deepEqual(said(5, degraded * windowMs), []);
  assert.deepEqual(said(5, degraded * windowMs + 40), [
    ['host', 'degraded', 'the link stood still for 0.6 % of the window'],
  ]);
  assert.deepEqual(said(5, invalid * windowMs + 40), [
    ['host', 'invalid', 'the link stood still for 2.1 % of the window'],
  ]);
});

test('the direction is said where it is that from the clients', () => {
  assert.deepEqual(said(60, 60, { direction: 'up' }), [
    ['host', 'invalid', 'the link from the clients stood still for 60 ms'],
  ]);
});
