/** What every metric has to keep: each folder in harness/analysis/metrics/. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPlugins } from '../../core/plugins.ts';
import type { ValuesByPart } from '../../core/vocabulary/subject.ts';
import type { MetricPlugin, MetricValues } from '../../harness/analysis/metrics/metric.ts';
import { compute, isOfLink } from '../../harness/analysis/summary/compute.ts';
import { sharingOf } from '../../harness/definition/sharing.ts';
import { controllerSeries } from '../../harness/record/series/controller.ts';
import { presentedSeries } from '../../harness/record/series/frames.presented.ts';
import { hostSeries } from '../../harness/record/series/host.ts';
import { packetSeries } from '../../harness/record/series/packets.ts';
import { pageSeries } from '../../harness/record/series/page.ts';
import { pictureQualitySeries } from '../../harness/record/series/picture-quality.ts';
import { pingSeries } from '../../harness/record/series/ping.ts';
import { queueSeries } from '../../harness/record/series/queue.ts';
import { roundTripSeries } from '../../harness/record/series/rtt.ts';
import { senderSeries } from '../../harness/record/series/sender.ts';
import { serviceSeries } from '../../harness/record/series/service.ts';
import { statsSeries } from '../../harness/record/series/stats.ts';
import { tcpSeries } from '../../harness/record/series/tcp.ts';
import { tunnelSeries } from '../../harness/record/series/tunnel.ts';
import type { TrialRecord } from '../../harness/record/trial-record.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import {
  type Change,
  condition,
  endMs,
  every,
  flood,
  presented,
  reading,
  sender,
  startMs,
  stats,
  tcp,
  trialFile,
  writeRecord,
} from '../unit/harness/support/record.ts';
import { tunnelReport } from '../unit/harness/support/tunnel.ts';
import { hasSoundParameters, saysWhatItIs, units } from './support/plugin.ts';
import { voiceSeries, voiceSeriesWith, withVoice } from './support/voice-series.ts';

const metrics = await loadPlugins<MetricPlugin>(new URL('../../harness/analysis/metrics/', import.meta.url), 'metric');
const throughput = metrics.get('throughput')!;
const folder = temporaryFolder();

/** Quantities of TCP, which a call does not have; the flood beside it has. */
const ofTcp = [
  ...['resent-ratio', 'flow-estimate-p50', 'flow-estimate-p99'],
  ...['flow-queue-delay-least', 'flow-queue-delay-most', 'flow-queue-loss-least', 'flow-queue-loss-most'],
];

/** A trial of which nothing but its file is left. */
const empty = () => writeRecord(join(folder, 'empty'), {});

/** Folders whose series are written. */
const written = new Set<string>();

/** A record of that folder, whose series are the same for every metric and are written once. */
function recordIn(name: string, series: () => Record<string, object[]>, change: Change): TrialRecord {
  const isWritten = written.has(name);
  written.add(name);
  return writeRecord(join(folder, name), isWritten ? {} : series(), change);
}

/** A trial with something in every series. */
function full(): TrialRecord {
  const elapsed = (time: number) => (time - startMs) / 1000;
  const presentedMs = every(20, startMs - 1000, endMs).filter(time => time <= 12_000 || time >= 12_400);
  const seconds = every(1000, startMs, endMs);
  return recordIn(
    'full',
    () => ({
      'frames.presented': presentedMs.map((time, i) => presented(time, i + 1, i)),
      'frames.sent': [
        ...presentedMs.map((time, i) => ({
          frame: i,
          rtpTimestamp: i,
          captureMs: time - 40,
          encodedMs: time - 35,
          firstPacketMs: time - 34,
          lastPacketMs: time - 30,
          bytes: 3000,
          key: i % 100 === 0,
        })),
        { frame: 9999, captureMs: startMs, skipped: 'late', count: 1 },
      ],
      stats: seconds.map(time =>
        withVoice(
          stats(time, {
            framesDecoded: 49 * elapsed(time),
            bytesReceived: 125_000 * elapsed(time),
            jitter: 0.002,
            packetsLost: 2 * elapsed(time),
            packetsReceived: 98 * elapsed(time),
            nackCount: 2 * elapsed(time),
            retransmittedPacketsReceived: 3 * elapsed(time),
            pliCount: Math.floor(elapsed(time) / 5),
            firCount: 0,
            packetsReceivedWithEct1: 90 * elapsed(time),
            packetsReceivedWithCe: 10 * elapsed(time),
            freezeCount: Math.floor(elapsed(time) / 6),
            totalFreezesDuration: 0.04 * elapsed(time),
            pauseCount: 0,
            totalPausesDuration: 0,
          }),
        ),
      ),
      'picture-quality': every(20, startMs, endMs).map((timeMs, i) => ({
        timeMs,
        shownFrame: i,
        wantedFrame: i,
        psnrDb: 40,
        ssim: 0.98,
        vmaf: 90,
      })),
      ...voiceSeries(),
      page: seconds.map(timeMs => ({ timeMs, mainThreadDelayMaxMs: 1, visible: true })),
      sender: seconds.map(time =>
        sender(time, {
          reportedEcn: { 'not-ect': elapsed(time), ect1: 90 * elapsed(time), ect0: 0, ce: 9 * elapsed(time) },
        }),
      ),
      service: [1, 2, 3].flatMap(number => {
        const loadTimes = { loadMs: 500, firstContentMs: 200, aboveTheFoldMs: 400, speedIndexMs: 300 };
        const begunMs = startMs + 1000 * number;
        return [
          { timeMs: begunMs + 500, kind: 'load', number, startMs: begunMs, ...loadTimes, bytes: 10_000 },
          { timeMs: begunMs + 600, kind: 'batch', number, durationMs: 300, bytes: 40_000 },
        ];
      }),
      ping: every(200, startMs, endMs - 200).map((timeMs, i) => ({
        timeMs,
        sequence: i + 1,
        rttMs: i % 10 === 9 ? null : 20 + i,
      })),
      tcp: seconds.flatMap(time => [
        tcp(time, 'receiver', 9, { bytesReceived: 4_500_000 * elapsed(time) }),
        tcp(time, 'sender', 9, {
          bytesSent: 4_600_000 * elapsed(time),
          bytesRetransmitted: 100_000 * elapsed(time),
          bandwidthBps: 40e6,
          busyMs: 1000 * elapsed(time),
          sendBufferLimitedMs: 100 * elapsed(time),
        }),
      ]),
      queue: seconds.map(timeMs => ({
        timeMs,
        sentBytes: 0,
        sentPackets: 0,
        droppedPackets: 0,
        backlogBytes: 0,
        backlogPackets: 0,
        lostPackets: 0,
      })),
      'queue-delay': every(100, startMs + 50, endMs).map(timeMs => ({
        timeMs,
        application: 'service',
        protocol: 17,
        sentPackets: 10,
        sentBytes: 12_000,
        markedPackets: 0,
        droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
        delayMedianMs: 5,
        delayMaxMs: 9,
      })),
      host: seconds.map(timeMs => ({
        timeMs,
        cores: 2,
        busyRatio: 1,
        stealRatio: 0,
        wakeUpDelayMaxMs: 1,
        harnessDelayMaxMs: 1,
      })),
      packets: every(10, startMs, endMs).map((sentMs, i) => ({
        sequence: i,
        kind: 'media',
        rtpTimestamp: 50 + Math.floor(i / 2),
        sentMs,
        bytes: 1200,
        payloadBytes: 1100,
        receivedMs: i % 50 === 0 ? null : sentMs,
        feedbackMs: sentMs + 50,
      })),
      controller: seconds.map(timeMs => ({ timeMs, inFlightBytes: 5000, minRttMs: 20, targetBps: 1e6 })),
      rtt: seconds.map(timeMs => ({ timeMs, rttMs: 22, from: 'report' })),
      tunnel: every(200, startMs, endMs).flatMap(time =>
        (['server', 'client'] as const).map(end =>
          tunnelReport(time, {
            end,
            deliveryBps: 1e6,
            sentBytes: 130_000 * elapsed(time),
            sentPackets: 110 * elapsed(time),
            lostPackets: elapsed(time),
            bytesIn: 120_000 * elapsed(time),
            packetsIn: 100 * elapsed(time),
            droppedPackets: elapsed(time),
            cpuMs: 20 * elapsed(time),
          }),
        ),
      ),
    }),
    {
      queueLog: {
        records: 20_000,
        lostRecords: 0,
        stops: [{ count: 2, longestMs: 12, sumMs: 20 }],
        traffic: [
          {
            application: 'service',
            protocol: 17,
            latePackets: 0,
            sentPackets: 990,
            sentBytes: 1.2e6,
            markedPackets: 0,
            droppedPackets: { overflow: 10, 'random-loss': 20, aqm: 0, other: 0 },
            delay: { meanMs: 6, p5Ms: 1, p50Ms: 5, p95Ms: 20, p99Ms: 30, maxMs: 40 },
          },
          {
            application: 'flood',
            protocol: 6,
            latePackets: 0,
            sentPackets: 9000,
            sentBytes: 13e6,
            markedPackets: 0,
            droppedPackets: { overflow: 100, 'random-loss': 200, aqm: 0, other: 0 },
            delay: { meanMs: 6, p5Ms: 1, p50Ms: 6, p95Ms: 21, p99Ms: 31, maxMs: 41 },
          },
        ],
        marks: [
          {
            application: 'service',
            protocol: 17,
            camePackets: { 'not-ect': 10, ect1: 980, ect0: 0, ce: 0 },
            leftPackets: { 'not-ect': 10, ect1: 880, ect0: 0, ce: 100 },
            dscps: [{ dscp: 0, packets: 990 }],
          },
        ],
        classes: [
          {
            class: 'l4s',
            sentPackets: 980,
            markedPackets: 100,
            droppedPackets: 0,
            delayMedianMs: 0.5,
            delayP99Ms: 1.5,
          },
          {
            class: 'classic',
            sentPackets: 9010,
            markedPackets: 0,
            droppedPackets: 110,
            delayMedianMs: 6,
            delayP99Ms: 31,
          },
        ],
        flows: [
          {
            application: 'flood',
            protocol: 6,
            latePackets: 0,
            sourcePort: 9,
            destinationPort: 5201,
            sentPackets: 9000,
            sentBytes: 13e6,
            markedPackets: 0,
            droppedPackets: { overflow: 100, 'random-loss': 200, aqm: 0, other: 0 },
            delay: { meanMs: 6, p5Ms: 1, p50Ms: 6, p95Ms: 21, p99Ms: 31, maxMs: 41 },
          },
        ],
      },
      flood,
      condition: { ...condition, link: { ...condition.link, up: { ...condition.link, rateBps: 1e6 } } },
      cpuRatio: { 'service server': 0.3, 'service client': 1, 'flood server': 0.1, 'flood client': 0.1, harness: 0.1 },
      bottleneck: {
        before: reading(startMs + 10, {
          up: { sentBytes: 0, sentPackets: 0, droppedPackets: 0, backlogPackets: 0 },
          sentBytes: 1e6,
          randomLoss: [{ source: '10.0.1.2', protocol: 17, packets: 100, bytes: 1e5, lostPackets: 2 }],
        }),
        after: reading(endMs + 10, {
          up: { sentBytes: 1e6, sentPackets: 900, droppedPackets: 3, backlogPackets: 0 },
          sentBytes: 48e6,
          droppedPackets: 7,
          randomLoss: [{ source: '10.0.1.2', protocol: 17, packets: 900, bytes: 1e6, lostPackets: 20 }],
        }),
      },
    },
  );
}

/** Records of the full trial for all metrics, so that values that several metrics need are derived once. */
const [record, another] = [full(), full()];

/** Returns all values of the full trial, in which a flood is the only other application. */
async function partsOf(plugin: MetricPlugin): Promise<ValuesByPart<MetricValues>> {
  const own = await compute(plugin, record);
  const others = { flood: await compute(plugin, record.as('flood')) };
  const together = (await plugin.computeTogether?.(record.others(), record)) ?? {};
  const alone = { ...own, ...(await throughput.compute(record)) };
  const rates = {
    metrics: alone,
    others: { flood: await throughput.compute(record.as('flood')) },
    together: await throughput.computeTogether!(record.others(), record),
  };
  const added = plugin.besideAlone?.(rates, alone, sharingOf(record.file.condition));
  return {
    metrics: { ...own, ...added?.metrics },
    others: { flood: { ...others.flood, ...added?.others['flood'] } },
    together: { ...together, ...added?.together },
  };
}

test('there are metrics', () => assert.ok(metrics.size > 0));

test('no two quantities have the same name or title', () => {
  const quantities = [...metrics.values()].flatMap(metric => metric.quantities);
  for (const key of ['id', 'title'] as const) {
    const names = quantities.map(quantity => quantity[key]);
    assert.equal(new Set(names).size, names.length, names.join(' '));
  }
});

for (const [id, plugin] of metrics) {
  const names = plugin.quantities.map(quantity => quantity.id).sort();

  test(`${id}: says what it is`, () => {
    saysWhatItIs(plugin, id);
    assert.ok(plugin.quantities.length > 0);
  });

  test(`${id}: says of each quantity how it is computed, what it needs and what it cannot tell`, () => {
    const { needs, cannotTell, definitions } = plugin.reading;
    assert.deepEqual(Object.keys(definitions).sort(), names, 'reading.definitions must name exactly its quantities');
    for (const [key, sentence] of Object.entries({ needs, cannotTell, ...definitions }))
      assert.match(sentence, /^\S.{10,}\.$/, `reading: ${key} is no sentence with a full stop: "${sentence}"`);
  });

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: its quantities have a name, a title, a unit and a direction`, () => {
    for (const quantity of plugin.quantities) {
      assert.match(quantity.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(quantity.title.trim().length > 0, `${quantity.id} has no title`);
      assert.ok(units.includes(quantity.unit), `${quantity.id}: "${quantity.unit}" is no unit that reports know`);
      assert.ok(
        ['higher', 'lower', null].includes(quantity.better),
        `${quantity.id}: better is ${quantity.better}; write 'higher', 'lower' or null`,
      );
    }
  });

  test(`${id}: an empty record gives null or a number for just its quantities`, async () => {
    const values = await compute(plugin, empty());
    assert.deepEqual(Object.keys(values).sort(), names);
    const hasBoth = new Set(plugin.quantities.map(isOfLink)).size === 2;
    assert.equal(plugin.computeLink !== undefined, hasBoth, 'computeLink goes with quantities of both kinds');
    for (const [name, value] of Object.entries(values))
      assert.ok(value === null || Number.isFinite(value), `${name} is ${value}`);
  });

  test(`${id}: a full record gives a number for each, a ratio between 0 and 1`, async () => {
    const { metrics: values, others, together } = await partsOf(plugin);
    assert.deepEqual(Object.keys(values).sort(), names);
    for (const { id: name, unit, together: isOfOthers } of plugin.quantities) {
      const all = [
        ofTcp.includes(name) ? others['flood']![name] : values[name],
        ...(isOfOthers ? [together[name]] : []),
      ];
      for (const value of all) {
        assert.ok(typeof value === 'number' && Number.isFinite(value) && value >= 0, `${name} is ${value}`);
        if (unit === 'ratio') assert.ok(value <= 1, `${name} is ${value}`);
      }
    }
  });

  test(`${id}: the others together have the values that are declared for them, those of one if it is alone`, async () => {
    const declared = plugin.quantities.filter(({ together }) => together === true);
    assert.equal(plugin.computeTogether !== undefined, declared.length > 0, 'computeTogether goes with `together`');
    assert.ok(declared.every(({ of }) => of === undefined));
    const { others, together } = await partsOf(plugin);
    assert.deepEqual(Object.keys(together).sort(), declared.map(({ id: name }) => name).sort());
    for (const { id: name } of declared) assert.equal(together[name], others['flood']![name], name);
    for (const [name, value] of Object.entries((await plugin.computeTogether?.([], record)) ?? {}))
      assert.equal(value, null, `${name} of nobody`);
  });

  test(`${id}: the same record gives the same values, and is left as it is`, async () => {
    const values = await compute(plugin, record);
    assert.deepEqual(await compute(plugin, record), values, 'the second call gave other values than the first');
    assert.deepEqual(await compute(plugin, another), values, 'another record of the same content gave other values');
    assert.deepEqual(record.file, full().file, 'compute changed the record');
    assert.deepEqual(JSON.parse(JSON.stringify(values)), values);
  });

  test(`${id}: what lies outside the window changes nothing`, async () => {
    const { applications } = trialFile({ flood });
    const wider = await widened();
    const message = 'what happened after the window changed its values; use record.window';
    assert.deepEqual(await compute(plugin, wider), await compute(plugin, record), message);
    assert.deepEqual(wider.file.applications, applications);
  });
}

let wide: Promise<TrialRecord> | undefined;
/** The same trial with more after its window: a teardown in which everything goes wrong. */
function widened(): Promise<TrialRecord> {
  wide ??= makeWidened();
  return wide;
}

async function makeWidened(): Promise<TrialRecord> {
  const late = endMs + 1500;
  const worse = {
    'frames.presented': [...(await record.read(presentedSeries)), presented(late, 2000, 99_999)],
    ...voiceSeriesWith(late),
    'frames.sent': [
      ...(await record.sentFrames()),
      ...(await record.skippedFrames()),
      { frame: 1e5, captureMs: late, skipped: 'pacer', count: 500 },
    ],
    stats: [
      ...(await record.read(statsSeries)),
      stats(late, {
        framesDecoded: 0,
        bytesReceived: 9e9,
        jitter: 5,
        freezeCount: 99,
        totalFreezesDuration: 99,
        pauseCount: 9,
        totalPausesDuration: 99,
        packetsLost: 9e6,
        packetsReceived: 9e6,
        nackCount: 9e6,
        retransmittedPacketsReceived: 9e6,
        pliCount: 9e6,
        firCount: 9e6,
      }),
    ],
    service: [
      ...(await record.read(serviceSeries)),
      {
        timeMs: late + 9000,
        kind: 'load',
        number: 4,
        startMs: late,
        loadMs: 9000,
        firstContentMs: 9000,
        aboveTheFoldMs: 9000,
        speedIndexMs: 9000,
        bytes: 1,
      },
    ],
    'picture-quality': [
      ...(await record.read(pictureQualitySeries)),
      { timeMs: late, shownFrame: 0, wantedFrame: 9, psnrDb: 1, ssim: 0, vmaf: 0 },
    ],
    page: await record.read(pageSeries),
    sender: [
      ...(await record.read(senderSeries)),
      sender(endMs + 500, { targetBps: 9e9 }),
      sender(late, { targetBps: 9e9 }),
    ],
    ping: [
      ...(await record.read(pingSeries)),
      { timeMs: endMs, sequence: 900, rttMs: null },
      { timeMs: late, sequence: 901, rttMs: 9000 },
    ],
    tcp: [
      ...(await record.as('flood').read(tcpSeries)),
      tcp(late, 'receiver', 9, { bytesReceived: 9e12 }),
      tcp(late, 'sender', 9, { bytesSent: 9e12, bytesRetransmitted: 9e11 }),
    ],
    queue: await record.read(queueSeries),
    'queue-delay': await record.queueDelay(),
    host: await record.read(hostSeries),
    packets: [
      ...(await record.read(packetSeries)),
      {
        sequence: 1e6,
        kind: 'media',
        sentMs: late,
        bytes: 1200,
        payloadBytes: 1100,
        receivedMs: null,
        feedbackMs: late + 50,
      },
    ],
    controller: await record.read(controllerSeries),
    rtt: [...(await record.read(roundTripSeries)), { timeMs: late, rttMs: 9000, from: 'report' }],
    tunnel: [
      ...(await record.read(tunnelSeries)),
      tunnelReport(late, { sentBytes: 9e9, sentPackets: 9e6, lostPackets: 9e6, queuedBytes: 9e9, rttMs: 9000 }),
    ],
  };
  return recordIn('widened', () => worse, record.file);
}
