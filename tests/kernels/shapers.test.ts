/**
 * How fast BBRv1 and CUBIC take the same link for when tc's HTB, its TBF or netem forms it, over base round-trip times,
 * in a kernel that has all three. Of HTB and TBF at short round-trip times the table tells, and nothing is asked: they
 * let the first packets after a pause through at once. Timers of this kernel are late now and then, so that packets come
 * together on netem, too: of the limits on a flow's estimate only that of the highest is asked for.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Lease } from '../../core/system/lease.ts';
import { isSerialising } from '../../core/vocabulary/backends.ts';
import { type Link, mapPaths, plainLink } from '../../core/vocabulary/link.ts';
import { type EstimateQuantiles, estimateLimits, overLink } from '../../harness/analysis/derive/estimate-meter.ts';
import { loadAqms } from '../../shaper/aqm/bound-aqm.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { table } from './support/compare.ts';
import { flowEstimatesBps } from './support/estimates.ts';
import { noOtherKernel } from './support/packages.ts';
import { UmlBox } from './support/uml-box.ts';

const skip = await noOtherKernel();
const state = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
const aqms = await loadAqms();
/** Slow, so that a late timer costs a small part of a packet's time. */
const plain = plainLink(8e6, { unit: 'packets', value: 100 });
const backends = ['tc', 'tbf', 'netem'] as const;
const rttsMs = [0, 2, 20];
const farMs = 20;
/** By which the flow's middle estimate, and what three links show at the longest round-trip time, may differ. */
const bound = 0.1;
const timing = { leadMs: 3000, windowMs: 8000 };
const rows = [['base RTT ms', 'flow', 'formed by', 'samples', 'p50', 'p99', 'max']];

let lease: Lease;
let box: UmlBox;
let links: ShapedLink;

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  box = await UmlBox.build(lease);
  links = new ShapedLink(box.topology, aqms, probeCapabilities(box.router));
});

after(async () => {
  await box?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
  if (rows.length > 1) process.stdout.write(`\n${table(rows)}\n`);
});

async function estimatesOver(
  backend: (typeof backends)[number],
  rttMs: number,
  control: string,
): Promise<EstimateQuantiles> {
  const link: Link = {
    ...plain,
    backend,
    paths: mapPaths(plain.paths, path => ({ ...path, downMs: rttMs / 2, upMs: rttMs / 2 })),
  };
  assert.equal(await links.set(link, 1), backend);
  await links.verify();
  const over = overLink(await flowEstimatesBps(box.hosts, box.addresses.client, control, timing), link);
  await links.clear();
  assert.ok(over !== undefined && over.n > 50, `${over?.n ?? 0} samples`);
  return over;
}

for (const rttMs of rttsMs) {
  for (const control of ['bbr', 'cubic']) {
    test(`${control}, base round-trip time ${rttMs} ms: what a flow sees of a link by ${backends.join(', ')}`, {
      skip,
    }, async () => {
      const seen: EstimateQuantiles[] = [];
      for (const backend of backends) {
        const over = await estimatesOver(backend, rttMs, control);
        seen.push(over);
        const numbers = [over.p50, over.p99, over.max].map(value => value.toFixed(3));
        rows.push([String(rttMs), control, backend, String(over.n), ...numbers]);
        assert.ok(Math.abs(over.p50 - 1) < bound, `${backend}: the middle estimate is ${over.p50} of the link`);
        if (isSerialising(backend) || rttMs >= farMs)
          assert.ok(over.max <= estimateLimits.max, `${backend}: ${over.max} of the link`);
      }
      if (rttMs < farMs) return;
      for (const quantity of ['p50', 'p99'] as const) {
        const values = seen.map(over => over[quantity]);
        assert.ok(
          Math.max(...values) - Math.min(...values) < bound,
          `${quantity} of ${backends.join(', ')}: ${values.join(', ')}`,
        );
      }
    });
  }
}
