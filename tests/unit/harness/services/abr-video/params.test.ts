import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paramsSchema } from '../../../../../harness/services/abr-video/params.ts';

const refusal = (given: object) => paramsSchema.safeParse(given).error?.issues[0]?.message;

test("connections are those that there are, and hls.js's when there are several", () => {
  assert.equal(refusal({ connections: 4 }), undefined);
  assert.equal(refusal({ player: 'dash.js' }), undefined);
  assert.match(refusal({ connections: 3 })!, /1, 2 or 4/);
  assert.match(refusal({ connections: 2, player: 'dash.js' })!, /dash\.js fetches over one connection/);
});

test('a ladder has at least one rung', () => {
  assert.match(refusal({ topRate: '100kbit' })!, /at least 150 kbit\/s/);
  assert.match(refusal({ topRate: '0mbit' })!, /out of range/);
});

test('HTTP/3 has congestion controls of its own', () => {
  for (const congestionControl of ['bbr3', 'cubic', 'newreno'])
    assert.equal(refusal({ protocol: 'h3', congestionControl }), undefined);
  for (const congestionControl of ['reno', 'bbr'])
    assert.match(
      refusal({ protocol: 'h3', congestionControl })!,
      /does not use the kernel's congestion controls; QUIC's are bbr3, cubic, newreno/,
    );
  assert.equal(refusal({ protocol: 'h2', congestionControl: 'reno' }), undefined);
});
