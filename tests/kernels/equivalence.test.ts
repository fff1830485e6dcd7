/**
 * The emulator against the kernel: the same link, formed once by the emulator and once by tc with netem and the AQM
 * inside another kernel, with the same traffic. Where a pair differs, another is run, at most three, and all are judged
 * together: both sides share this machine with everything else that runs on it, and TCP magnifies what chance does.
 * Slow start is left out of the window: what it overflows comes in one burst, whose size is no Poisson count.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Host } from '../../harness/base/host.ts';
import { Lease } from '../../harness/base/lease.ts';
import { plainLink } from '../../harness/base/link.ts';
import type { Link } from '../../harness/base/link.ts';
import { loadPlugins } from '../../harness/base/plugins.ts';
import type { AqmPlugin } from '../../shaper/aqm/aqm.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { LinkBox } from '../../shaper/backend/link-box.ts';
import { linkProgram } from '../../shaper/native-link/link-program.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { describeDifference, describeRun, difference, heading, table } from './support/compare.ts';
import { noOtherKernel } from './support/packages.ts';
import { measureFlow } from './support/traffic.ts';
import type { FlowMeasured } from './support/traffic.ts';
import { UmlBox } from './support/uml-box.ts';

const skip = await noOtherKernel() || (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
const state = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
const aqms = await loadPlugins<AqmPlugin>(new URL('../../shaper/aqm/', import.meta.url), 'AQM');
const way = { downMs: 25, upMs: 0, rttMs: 50, jitterMs: 0, reorder: null, duplicateRatio: 0 };
const leadMs = 10_000;
const mostPairs = 3;

/**
 * Parameters that are not the defaults, and how long it takes until one run is like another: PIE drops at random. The
 * kernel's PIE updates at ticks of its clock, every 10 ms here: 20 ms is what both can keep.
 */
const managed: Record<string, { params: object; windowMs: number }> = {
  'codel': { params: { target: '5ms', interval: '100ms' }, windowMs: 40_000 },
  'fq-codel': { params: {}, windowMs: 40_000 },
  'pie': { params: { update: '20ms' }, windowMs: 100_000 },
};
const congestionControls = ['cubic', 'reno'];

type Side = { backend: 'tc' | 'emulator'; hosts: Readonly<Record<'server' | 'client', Host>>; address: string; links: LinkBox };
const sides: Side[] = [];
const removals: (() => Promise<void>)[] = [];
const rows = [['AQM', 'flow', 'formed by', ...heading]];

before(async () => {
  if (skip !== false) return;
  const leases = [Lease.open(state), Lease.open(state)] as const;
  removals.push(async () => leases.forEach(lease => lease.release()));
  const uml = await UmlBox.build(leases[0]);
  removals.push(() => uml.remove());
  const dumbbell = await Dumbbell.build(leases[1]);
  removals.push(() => dumbbell.remove());
  sides.push(
    { backend: 'tc', hosts: uml.hosts, address: uml.addresses.client, links: new LinkBox(uml.dumbbell, aqms, probeCapabilities(uml.router)) },
    { backend: 'emulator', hosts: dumbbell.hosts, address: dumbbell.addresses.client, links: new LinkBox(dumbbell, aqms, probeCapabilities()) },
  );
});

after(async () => {
  for (const { links } of sides) await links.clear();
  for (const remove of removals.reverse()) await remove();
  rmSync(state, { recursive: true, force: true });
  if (rows.length > 1) process.stdout.write(`\n${table(rows)}\n`);
});

async function measure({ backend, hosts, address, links }: Side, link: Link, congestionControl: string, windowMs: number): Promise<FlowMeasured> {
  await links.set({ ...link, backend }, 1);
  await links.verify();
  const flow = await measureFlow(hosts, address, congestionControl, { leadMs, windowMs }, async () => (await links.counters()).droppedPackets);
  await links.clear();
  return flow;
}

function tell(...words: string[]): void {
  rows.push(words);
  process.stdout.write(`${words.join('  ')}\n`);
}

for (const [id, { params, windowMs }] of Object.entries(managed)) {
  for (const congestionControl of congestionControls) {
    test(`${id}, ${congestionControl}: goodput, round-trip time and drops are those of the kernel`, { skip }, async () => {
      const link: Link = { ...plainLink(40e6, { unit: 'packets', value: 1000 }), aqm: { id, title: id, params: aqms.get(id)!.params.parse(params) }, ways: { server: way, flooder: way } };
      const runs = { tc: [] as FlowMeasured[], emulator: [] as FlowMeasured[] };
      for (let pairs = 1; pairs <= mostPairs; pairs++) {
        for (const side of sides) {
          const run = await measure(side, link, congestionControl, windowMs);
          runs[side.backend].push(run);
          tell(id, congestionControl, side.backend, ...describeRun(run));
        }
        if (difference(runs.tc, runs.emulator).isNone) break;
      }
      const found = difference(runs.tc, runs.emulator);
      tell(id, congestionControl, 'difference', ...describeDifference(found));
      assert.ok(found.isNone, describeDifference(found).join(', '));
    });
  }
}
