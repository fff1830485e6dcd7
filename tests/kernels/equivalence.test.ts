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
import type { Host } from '../../core/system/host.ts';
import { Lease } from '../../core/system/lease.ts';
import { type Link, plainLink } from '../../core/vocabulary/link.ts';
import { loadAqms } from '../../shaper/aqm/bound-aqm.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { linkProgram } from '../../shaper/emulator/link-program.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { describeDifference, describeRun, difference, heading, table } from './support/compare.ts';
import { noOtherKernel } from './support/packages.ts';
import { type FlowMeasured, measureFlow } from './support/traffic.ts';
import { UmlBox } from './support/uml-box.ts';

const skip = (await noOtherKernel()) || (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
const state = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
const aqms = await loadAqms();
const path = { downMs: 25, upMs: 0, rttMs: 50, jitterMs: 0, reorder: null, duplicateRatio: 0 };
const plain: Link = { ...plainLink(40e6, { unit: 'packets', value: 1000 }), paths: { server: path, other: path } };
const leadMs = 10_000;
const mostPairs = 3;

/**
 * Parameters that are not the defaults, and how long it takes until one run is like another: PIE drops at random. The
 * kernel's PIE updates one tick of its clock later than it is told (tc-backend.test.ts proves it), and a tick of this
 * kernel is 10 ms: told 20 ms it does so every 30.
 */
const managed: Record<string, { tc: object; emulator: object; windowMs: number }> = {
  codel: { tc: { target: '5ms', interval: '100ms' }, emulator: { target: '5ms', interval: '100ms' }, windowMs: 40_000 },
  'fq-codel': { tc: {}, emulator: {}, windowMs: 40_000 },
  pie: { tc: { update: '20ms' }, emulator: { update: '30ms' }, windowMs: 100_000 },
};
const congestionControls = ['cubic', 'reno'];

type Side = {
  backend: 'tc' | 'emulator';
  hosts: Readonly<Record<'server' | 'client', Host>>;
  address: string;
  links: ShapedLink;
};
const sides: Side[] = [];
const removals: (() => Promise<void>)[] = [];
const rows = [['AQM', 'flow', 'formed by', ...heading]];

before(async () => {
  if (skip !== false) return;
  const leases = [Lease.open(state), Lease.open(state)] as const;
  removals.push(async () => leases.forEach(lease => lease.release()));
  const uml = await UmlBox.build(leases[0]);
  removals.push(() => uml.remove());
  const dumbbell = await Dumbbell.build(leases[1], twoSenders);
  removals.push(() => dumbbell.remove());
  sides.push(
    {
      backend: 'tc',
      hosts: uml.hosts,
      address: uml.addresses.client,
      links: new ShapedLink(uml.topology, aqms, probeCapabilities(uml.router)),
    },
    {
      backend: 'emulator',
      hosts: dumbbell.hosts,
      address: dumbbell.addresses.client,
      links: new ShapedLink(dumbbell, aqms, probeCapabilities()),
    },
  );
});

after(async () => {
  for (const { links } of sides) await links.clear();
  for (const remove of removals.reverse()) await remove();
  rmSync(state, { recursive: true, force: true });
  if (rows.length > 1) process.stdout.write(`\n${table(rows)}\n`);
});

async function measure(
  { backend, hosts, address, links }: Side,
  link: Link,
  congestionControl: string,
  windowMs: number,
): Promise<FlowMeasured> {
  await links.set({ ...link, backend }, 1);
  await links.verify();
  const flow = await measureFlow(
    hosts,
    address,
    congestionControl,
    { leadMs, windowMs },
    async () => (await links.counters()).droppedPackets,
  );
  await links.clear();
  return flow;
}

function tell(...words: string[]): void {
  rows.push(words);
  process.stdout.write(`${words.join('  ')}\n`);
}

test('a link with another rate, delay or drop rate is told from this one', () => {
  const run: FlowMeasured = { goodputBps: 30e6, rttMs: 55, tcpRttMs: 56, startDrops: 10, drops: 40 };
  assert.ok(difference([run], [run]).isNone);
  for (const same of [{ goodputBps: 30.2e6 }, { rttMs: 57.5 }, { tcpRttMs: 53.5 }, { drops: 60 }, { startDrops: 500 }])
    assert.ok(difference([run], [{ ...run, ...same }]).isNone, JSON.stringify(same));
  for (const other of [
    { goodputBps: 30.4e6 },
    { goodputBps: 29.6e6 },
    { rttMs: 58.5 },
    { tcpRttMs: 52.5 },
    { drops: 75 },
    { drops: 15 },
  ])
    assert.ok(!difference([run], [{ ...run, ...other }]).isNone, JSON.stringify(other));
  // what is within the noise of one run is not within that of three
  const [three, more] = [40, 60].map(drops => Array.from({ length: 3 }, () => ({ ...run, drops })));
  assert.ok(!difference(three!, more!).isNone);
});

for (const [id, { windowMs, ...params }] of Object.entries(managed)) {
  for (const congestionControl of congestionControls) {
    test(`${id}, ${congestionControl}: goodput, round-trip time and drops are those of the kernel`, {
      skip,
    }, async () => {
      const runs = { tc: [] as FlowMeasured[], emulator: [] as FlowMeasured[] };
      for (let pairs = 1; pairs <= mostPairs; pairs++) {
        for (const side of sides) {
          const run = await measure(
            side,
            { ...plain, aqm: { id, title: id, params: aqms.get(id)!.params.parse(params[side.backend]) } },
            congestionControl,
            windowMs,
          );
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
