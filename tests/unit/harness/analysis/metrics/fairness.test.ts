import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Link, plainLink, plainPath } from '../../../../../core/vocabulary/link.ts';
import { plugin } from '../../../../../harness/analysis/metrics/fairness/index.ts';
import { plugin as throughput } from '../../../../../harness/analysis/metrics/throughput/index.ts';
import type { Application } from '../../../../../harness/definition/applications.ts';
import { sharingOf } from '../../../../../harness/definition/sharing.ts';
import type { QueueLogReading } from '../../../../../harness/record/trial-file.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, flood, startMs, stats, tcp, trialFile, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
// 1.25 MB in 10 s: 1 Mbit/s
const media = [stats(startMs, { bytesReceived: 1000 }), stats(endMs, { bytesReceived: 1_251_000 })];
/** Returns the receiver's readings of a flow with this rate over the window, on the flow's port. */
const flow = (port: number, mbps: number) => [
  tcp(startMs, 'receiver', port, { bytesReceived: 0 }),
  tcp(endMs, 'receiver', port, { bytesReceived: mbps * 1.25e6 }),
];

/** Returns a queue log with these rates over the ten seconds of the window, Mbit/s. */
function queueLog(mediaMbps: number, floodMbps: number): QueueLogReading {
  const traffic = (application: 'service' | 'flood', protocol: number, mbps: number) => ({
    application,
    protocol,
    latePackets: 0,
    sentPackets: 1,
    sentBytes: mbps * 1.25e6,
    markedPackets: 0,
    droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
    delay: null,
  });
  return { records: 1, lostRecords: 0, traffic: [traffic('service', 17, mediaMbps), traffic('flood', 6, floodMbps)] };
}

/** Returns the rates at the bottleneck of a trial with one other application. */
async function partsOf(record: TrialRecord) {
  const together = await throughput.computeTogether!(record.others(), record);
  const flood_ = await throughput.compute(record.as('flood'));
  return { metrics: await throughput.compute(record), others: { flood: flood_ }, together };
}

async function shares(
  name: string,
  mediaMbps: number,
  floodMbps: number,
  aloneMbps: number | null,
  change: Partial<Link> = {},
) {
  const link = { ...plainLink(40e6, { unit: 'packets', value: 1000 }, ['service', 'flood']), ...change };
  const record = writeRecord(
    join(folder, name),
    {},
    { condition: { ...condition, link }, queueLog: queueLog(mediaMbps, floodMbps) },
  );
  const trial = await partsOf(record);
  const { metrics, others, together } = plugin.besideAlone!(
    trial,
    { 'wire-rate': aloneMbps === null ? null : aloneMbps * 1e6 },
    sharingOf({ ...condition, link }),
  );
  assert.deepEqual(others, { flood: together }, 'the only other application');
  return [metrics['fair-share'], together['fair-share']];
}

test("Jain's index is of the subject and the others, and of all flows; null without others", async () => {
  const indices = async (name: string, tcpSockets: object[], change: object) => {
    const values = await plugin.compute(writeRecord(join(folder, name), { stats: media, tcp: tcpSockets }, change));
    return [values['jain-index'], values['jain-index-flows']];
  };
  assert.deepEqual(await indices('one', flow(9, 37), { flood }), [
    38 ** 2 / (2 * (1 + 37 ** 2)),
    38 ** 2 / (2 * (1 + 37 ** 2)),
  ]);
  assert.deepEqual(await indices('two', [...flow(9, 1), ...flow(10, 1)], { flood }), [3 ** 2 / (2 * (1 + 2 ** 2)), 1]);
  assert.deepEqual(await indices('alone', [], {}), [null, null]);
});

test('rates at the bottleneck are what left it', async () => {
  const log = queueLog(4, 32);
  const ping = { ...log.traffic[0]!, protocol: 1, sentBytes: 9e6 };
  const record = writeRecord(join(folder, 'wire'), {}, { queueLog: { ...log, traffic: [...log.traffic, ping] } });
  const { metrics, together } = await partsOf(record);
  assert.deepEqual([metrics['wire-rate'], together['wire-rate']], [4e6, 32e6], 'pings are no traffic');
  assert.deepEqual([metrics['wire-share'], together['wire-share']], [4 / 36, 32 / 36]);
});

test('a stream that has what it has alone has all of its part, whatever its encoder may have', async () => {
  assert.deepEqual(await shares('as-alone', 6.6, 33.4, 6.6), [1, 1]);
  assert.deepEqual(await shares('half', 3.3, 33.4, 6.6), [0.5, 1]);
});

test('a stream that takes more than half the link alone has half of it as its part, as has the flood', async () => {
  assert.deepEqual(await shares('free', 10, 30, 39), [0.5, 1.5]);
  assert.deepEqual(await shares('even', 20, 20, 39), [1, 1]);
});

test('behind several bottlenecks the slowest is shared; one whose rate changes leaves no capacity to share', async () => {
  const hop = { ...plainLink(20e6, { unit: 'packets', value: 1000 }), up: null };
  assert.deepEqual(await shares('row', 5, 15, 39, { further: [hop] }), [0.5, 1.5]);
  assert.deepEqual(await shares('row-trace', 5, 15, 39, { further: [{ ...hop, trace: 'trace' }] }), [null, null]);
});

test('applications at some bottlenecks of a row have the max-min fair rates of the whole row', async () => {
  const hop = { ...plainLink(20e6, { unit: 'packets', value: 1000 }), up: null };
  const [service, flood_] = condition.applications as [Application, Application];
  const path = (from: number, to: number) => ({ ...plainPath, crosses: { from, to } });
  const link = {
    ...plainLink(40e6, { unit: 'packets', value: 1000 }),
    further: [hop],
    paths: { service: plainPath, flood: path(2, 2), other: path(1, 1) },
  };
  const of = { ...condition, link, applications: [service, flood_, { ...flood_, name: 'other' }] };
  // 10, 10 and 30 Mbit/s
  const { metrics, others, together } = plugin.besideAlone!(
    {
      metrics: { 'wire-rate': 5e6 },
      others: { flood: { 'wire-rate': 15e6 }, other: { 'wire-rate': 30e6 } },
      together: { 'wire-rate': 30e6 }, // at the first bottleneck
    },
    { 'wire-rate': 39e6 },
    sharingOf(of),
  );
  assert.deepEqual(
    [metrics, others['flood'], others['other'], together].map(one => one!['fair-share']),
    [0.5, 1.5, 1, 1],
  );
  const record = writeRecord(
    join(folder, 'partial'),
    {},
    {
      condition: of,
      applications: [...trialFile().applications, { ...trialFile().applications[1]!, name: 'other' }],
      queueLog: { ...queueLog(10, 0), traffic: [], further: [queueLog(10, 10)] },
    },
  );
  const value = async (at: TrialRecord) => (await plugin.compute(at))['jain-index-applications'];
  assert.equal(await value(record.as('flood').atFirst()), 1, 'those that cross the second bottleneck');
});

test('a link without one capacity, a queue without a log, or a stream that was never alone has no parts', async () => {
  assert.deepEqual(await shares('steps', 4, 32, 6, { schedule: [{ atMs: 0, rateBps: 1e6, rampMs: 0 }] }), [null, null]);
  assert.deepEqual(await shares('trace', 4, 32, 6, { trace: 'trace' }), [null, null]);
  assert.deepEqual(await shares('never', 4, 32, null), [null, null]);
  const record = writeRecord(join(folder, 'no-log'), {});
  assert.equal((await plugin.compute(record))['fair-share'], null);
  const { metrics, together } = await partsOf(record);
  assert.deepEqual([metrics['wire-rate'], together['wire-rate']], [null, null]);
});

test('each application is a party, and one alike the stream can use what the stream can', async () => {
  const link = plainLink(40e6, { unit: 'packets', value: 1000 }, ['service', 'flood']);
  const [subject, one] = condition.applications as [Application, Application];
  const sharesOf = (applications: Application[]) => {
    const { metrics, others, together } = plugin.besideAlone!(
      {
        metrics: { 'wire-rate': 6e6 },
        others: Object.fromEntries(applications.slice(1).map(({ name }) => [name, { 'wire-rate': 14e6 }])),
        together: { 'wire-rate': 28e6 },
      },
      { 'wire-rate': 12e6 },
      sharingOf({ ...condition, link, applications }),
    );
    const shareOf = ({ 'fair-share': share }: Record<string, number | null>) => share;
    const each = Object.fromEntries(Object.entries(others).map(([name, values]) => [name, shareOf(values)]));
    return [shareOf(metrics), each, shareOf(together)];
  };
  // a quarter of the 40 Mbit/s each
  assert.deepEqual(sharesOf([subject, one, { ...one, name: 'b' }, { ...one, name: 'c' }]), [
    0.6,
    { flood: 1.4, b: 1.4, c: 1.4 },
    28 / 30,
  ]);
  // 12 Mbit/s for each stream, 16 Mbit/s for the flood
  assert.deepEqual(sharesOf([subject, { ...subject, name: 'twin' }, one]), [
    0.5,
    { twin: 14 / 12, flood: 14 / 16 },
    28 / 28,
  ]);
  // traffic in the other direction is no party
  assert.deepEqual(sharesOf([subject, one, { ...one, name: 'back', direction: 'up' }]), [
    0.5,
    { flood: 0.5, back: null },
    1,
  ]);
  // there are no fair parts if parties come and go
  assert.deepEqual(sharesOf([subject, { ...one, startMs: 5000 }]), [null, { flood: null }, null]);
});
