/**
 * The queue log against real queues: every packet once, and every figure equal to the kernel's own counters or to
 * arithmetic.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { quantile } from '../../core/stats/quantile.ts';
import type { Child } from '../../core/system/command.ts';
import { until, within } from '../../core/system/deadline.ts';
import { conservationOf } from '../../shaper/queue-log/conservation.ts';
import { QueueLog, type QueueRecord } from '../../shaper/queue-log/format.ts';
import { QueueLogRecorder, queueLogLoader } from '../../shaper/queue-log/recorder.ts';
import { summariseQueue } from '../../shaper/queue-log/summary.ts';
import { Capture } from '../../shaper/recording/capture.ts';
import { qdiscsOf } from '../../shaper/tc/json.ts';
import { attachLoss, predictedLosses } from '../../shaper/tc/loss.ts';
import { dumbbell, state as folder, shapedLink } from './support/hosts.ts';
import { independent, tcLink } from './support/links.ts';
import { countOf, occupancyOf } from './support/queue-log-totals.ts';
import { cannotRun } from './support/run-command.ts';
import { judgeSteadily } from './support/steady.ts';

const skip = cannotRun ?? (existsSync(queueLogLoader) ? false : 'needs the native helper: npm run setup');
const file = join(folder, 'queue.log');
const pcap = join(folder, 'queue.pcap');
const [icmp, udp] = [1, 17];
const frameBytes = 1514;
const spec = tcLink(40e6, { unit: 'packets', value: 100 });
/** A full queue of `limit` frames. */
const drainMs = (limit: number, rateBps: number) => (limit * frameBytes * 8000) / rateBps;

let recorder: QueueLogRecorder | undefined;
let capture: Capture | undefined;
let receiver: Child | undefined;

afterEach(async () => {
  await Promise.allSettled([recorder?.stop(), capture?.stop()]);
  await receiver?.stop('SIGKILL');
});

const record = async (device = 'toClient', host = dumbbell.hosts.router) => {
  recorder = await QueueLogRecorder.start(host, device, file);
  capture = await Capture.start(host, device, pcap);
};

/** Ends the log: not one record and not one captured packet may be missing. */
async function recorded(): Promise<QueueRecord[]> {
  const [end, { drops }] = await Promise.all([recorder!.stop(), capture!.stop()]);
  const records = [...QueueLog.fromFile(file)];
  assert.deepEqual([end.lost, drops, end.records], [0, 0, records.length]);
  return records;
}

/** What left, by the capture: time and length of each packet (classic pcap with nanoseconds). */
function captured(): { unixMs: number; bytes: number }[] {
  const bytes = readFileSync(pcap);
  assert.equal(bytes.readUInt32LE(0), 0xa1b23c4d);
  assert.equal(bytes.readUInt32LE(20), 1, 'Ethernet');
  const packets: { unixMs: number; bytes: number }[] = [];
  for (let at = 24; at < bytes.length; at += 16 + bytes.readUInt32LE(at + 8)) {
    packets.push({
      unixMs: bytes.readUInt32LE(at) * 1e3 + bytes.readUInt32LE(at + 4) / 1e6,
      bytes: bytes.readUInt32LE(at + 12),
    });
  }
  return packets;
}

async function flood(rate: string, seconds: number): Promise<void> {
  receiver = dumbbell.hosts.client.start('receiver', ['iperf3', '-s', '-1', '--forceflush']);
  await within(new Promise(resolve => receiver!.process.stdout!.once('data', resolve)), 10_000, 'iperf3 -s to listen');
  await dumbbell.hosts.other.run(
    [
      'iperf3',
      '-c',
      dumbbell.addresses.client,
      '-u',
      '-b',
      rate,
      '-l',
      '1472',
      '--pacing-timer',
      '100',
      '-t',
      String(seconds),
    ],
    { allowFailure: true, timeoutMs: 60_000 },
  );
}

const ping = (count: number) =>
  dumbbell.hosts.server.run(
    ['ping', '-q', '-n', '-i', '0.001', '-c', String(count), '-W', '0.5', dumbbell.addresses.client],
    { allowFailure: true, timeoutMs: 60_000 },
  );

/** The FIFO's own counters once it is empty. */
const drained = () =>
  until(
    async () => {
      const fifo = (await qdiscsOf(dumbbell.hosts.router, 'toClient')).find(({ handle }) => handle === '10:')!;
      return fifo.qlen === 0
        ? { sent: { packets: fifo.packets!, bytes: fifo.bytes! }, dropped: fifo.drops! }
        : undefined;
    },
    10_000,
    'the queue to drain',
  );

/** Records of packets as they came to the queue, each once: enqueued, refused, or lost before it. */
const arrivals = (records: readonly QueueRecord[]) => {
  const seen = new Set<number>();
  return records.filter(({ packet }) => !seen.has(packet) && seen.add(packet));
};

/** Sequence numbers of echo requests, from 0. */
const echoSequence = ({ transportFirst }: QueueRecord) => (transportFirst & 0xffff) - 1;

test(
  'half as much again as the rate: the plateau is the limit, and each packet waits as long as the queue takes to drain',
  { skip },
  context =>
    judgeSteadily(
      context,
      dumbbell.hosts.router,
      async () => {
        await shapedLink.set(spec, 1);
        await record();
        await flood('60M', 3);
        const { sent, dropped } = await drained();
        const records = await recorded();

        assert.deepEqual(
          { sent: countOf(records, 'dequeue'), dropped: countOf(records, 'overflow').packets },
          { sent, dropped },
          "the qdisc's own counters",
        );
        assert.ok(dropped > 1000);
        assert.deepEqual(
          (['random-loss', 'aqm', 'other', 'mark'] as const).map(what => countOf(records, what).packets),
          [0, 0, 0, 0],
        );
        const { differingRecords, ...exact } = conservationOf(records);
        assert.deepEqual(exact, {
          enqueuedPackets: sent.packets,
          dequeuedPackets: sent.packets,
          droppedPackets: 0,
          waitingPackets: 0,
          unseenPackets: 0,
          repeatedPackets: 0,
          queuePackets: 0,
          holds: true,
        });
        // packets that the filter behind the queue reported: by then the next may have come
        assert.ok(differingRecords < records.length / 100, `the queue's own count differs ${differingRecords} times`);

        const occupancy = occupancyOf(records);
        assert.equal(Math.max(...occupancy.map(bin => bin.maxPackets)), 100);
        const { other, client } = dumbbell.addresses;
        const { flows } = summariseQueue(records, {
          parties: [{ server: other, client }],
          lateMs: Infinity,
          unixOffsetMs: 0,
          fromMs: 0,
          toMs: Infinity,
        });
        const { party, protocol, destinationPort, delay } = flows.toSorted((a, b) => b.sentBytes - a.sentBytes)[0]!;
        assert.deepEqual([party, protocol, destinationPort], [0, udp, 5201]);

        const left = records.filter(({ event }) => event === 'dequeue');
        const packets = captured();
        assert.deepEqual(
          packets.map(({ bytes }) => bytes),
          left.map(({ lengthBytes }) => lengthBytes),
        );
        const { unixOffsetMs } = QueueLog.fromFile(file).header;
        const apartMs = packets.map(({ unixMs }, i) => Math.abs(unixMs - left[i]!.timeNs / 1e6 - unixOffsetMs));
        assert.ok(
          quantile(apartMs, 0.5)! < 0.1,
          `the capture's clock and the log's are ${quantile(apartMs, 0.5)} ms apart`,
        );
        return { plateau: occupancy.slice(5, -8), delayMs: delay!.p50Ms };
      },
      ({ plateau, delayMs }) => {
        assert.equal(
          quantile(
            plateau.map(bin => bin.maxPackets),
            0.5,
          ),
          100,
        );
        assert.ok(
          quantile(
            plateau.map(bin => bin.meanPackets),
            0.5,
          )! > 98.5,
          `mostly ${quantile(
            plateau.map(bin => bin.meanPackets),
            0.5,
          )} packets`,
        );
        const expectedMs = drainMs(100, spec.rateBps);
        assert.ok(Math.abs(delayMs / expectedMs - 1) < 0.01, `half of them waited ${delayMs} ms, not ${expectedMs}`);
      },
    ),
);

test('overflow and random loss are told apart, and the packets lost at random are those predicted', {
  skip,
}, async () => {
  const seed = 7;
  const lossRatio = 0.02;
  await shapedLink.set({ ...spec, loss: independent(lossRatio) }, seed);
  await record();
  await flood('60M', 2);
  const { sent, dropped } = await drained();
  const { loss } = await shapedLink.counters();
  const records = await recorded();
  const lost = countOf(records, 'random-loss');
  assert.deepEqual(
    [countOf(records, 'dequeue'), countOf(records, 'overflow').packets, conservationOf(records).holds],
    [sent, dropped, true],
  );
  const counted = (field: 'lostPackets' | 'lostBytes') => loss.reduce((sum, flow) => sum + flow[field], 0);
  assert.deepEqual(lost, { packets: counted('lostPackets'), bytes: counted('lostBytes') });
  assert.ok(dropped > 500 && lost.packets > 50, `${dropped} and ${lost.packets}`);

  const { other: source, client: destination } = dumbbell.addresses;
  const datagrams = arrivals(records).filter(({ protocol }) => protocol === udp);
  assert.deepEqual(
    datagrams.flatMap(({ reason }, k) => (reason === 'random-loss' ? [k] : [])),
    predictedLosses(
      seed,
      { kind: 'independent', ratio: lossRatio },
      { source, destination, protocol: udp },
      datagrams.length,
    ),
  );
});

test('of numbered packets exactly the predicted ones are lost', { skip }, async () => {
  const [seed, count] = [11, 2000];
  await shapedLink.set({ ...spec, loss: independent(0.02) }, seed);
  await record();
  await ping(count);
  await drained();
  const records = (await recorded()).filter(({ protocol }) => protocol === icmp);
  const { server: source, client: destination } = dumbbell.addresses;
  const predicted = predictedLosses(
    seed,
    { kind: 'independent', ratio: 0.02 },
    { source, destination, protocol: icmp },
    count,
  );
  const lost = records.filter(({ event }) => event === 'drop');
  assert.deepEqual(lost.map(echoSequence), predicted);
  assert.ok(
    lost.every(
      ({ reason, lengthBytes, sojournNs, sourcePort, destinationPort }) =>
        reason === 'random-loss' && lengthBytes === 98 && sojournNs === 0 && sourcePort === 0 && destinationPort === 0,
    ),
  );
  assert.deepEqual(
    arrivals(records).map(echoSequence),
    Array.from({ length: count }, (_, k) => k),
  );
});

test('a packet that is lost after the queue has gone through it, and is in the log of the other end', {
  skip,
}, async () => {
  const count = 500;
  const model = {
    kind: 'gilbert-elliott',
    toBadRatio: 0.05,
    toGoodRatio: 0.3,
    badLossRatio: 0.8,
    goodLossRatio: 0.01,
  } as const;
  const { server: source, client: destination } = dumbbell.addresses;
  const { client } = dumbbell.hosts;
  await shapedLink.set(spec, 1);
  await attachLoss(client, 'eth0', 'ingress', model, 3);
  try {
    await record('eth0', client);
    await ping(count);
    const lost = (await recorded()).filter(({ protocol, event }) => protocol === icmp && event === 'drop');
    assert.deepEqual(lost.map(echoSequence), predictedLosses(3, model, { source, destination, protocol: icmp }, count));
    assert.ok(lost.every(({ reason, lengthBytes }) => reason === 'random-loss' && lengthBytes === 98));
    assert.equal((await drained()).sent.packets, count);
  } finally {
    await client.run(['tc', 'qdisc', 'del', 'dev', 'eth0', 'clsact']);
  }
});

test('a queue that pushes out its oldest: drops out of the queue, and enqueues that the kernel does not tell of', {
  skip,
}, async () => {
  const rateBps = 8e6;
  await shapedLink.set({ ...spec, rateBps }, 1);
  await dumbbell.hosts.router.run(['tc', 'qdisc', 'del', 'dev', 'toClient', 'parent', '1:10']);
  await dumbbell.hosts.router.run([
    'tc',
    'qdisc',
    'add',
    'dev',
    'toClient',
    'parent',
    '1:10',
    'handle',
    '10:',
    'pfifo_head_drop',
    'limit',
    '50',
  ]);
  await record();
  await flood('16M', 2);
  const { sent, dropped } = await drained();
  const records = await recorded();
  assert.deepEqual(countOf(records, 'dequeue'), sent);
  const { enqueuedPackets, dequeuedPackets, droppedPackets, holds } = conservationOf(records);
  assert.deepEqual(
    { dequeuedPackets, droppedPackets, enqueuedPackets, holds },
    { dequeuedPackets: sent.packets, droppedPackets: dropped, enqueuedPackets: sent.packets + dropped, holds: true },
  );
  const dropsMs = records.filter(({ event }) => event === 'drop').map(({ sojournNs }) => sojournNs / 1e6);
  assert.ok(dropsMs.length > 500 && Math.min(...dropsMs) > 0);
  // half of what comes is pushed out: from the tail to the head at twice the speed
  assert.ok(
    Math.abs(quantile(dropsMs, 0.5)! / (drainMs(50, rateBps) / 2) - 1) < 0.1,
    `pushed out after ${quantile(dropsMs, 0.5)} ms`,
  );
  const byTime = records.toSorted((a, b) => a.timeNs - b.timeNs);
  for (const { packet, timeNs, sojournNs } of byTime.filter(({ event }) => event === 'dequeue').slice(0, 1000)) {
    assert.equal(
      records.find(other => other.packet === packet && other.event === 'enqueue')!.timeNs,
      timeNs - sojournNs,
    );
  }
});

test('what waits when the queue is removed was dropped for another reason', { skip }, async () => {
  await shapedLink.set({ ...spec, rateBps: 64e3 }, 1);
  await record();
  await dumbbell.hosts.server.run(
    ['ping', '-q', '-f', '-c', '30', '-l', '30', '-s', '1472', '-W', '0.1', dumbbell.addresses.client],
    { allowFailure: true },
  );
  await shapedLink.clear();
  const records = await recorded();
  const { enqueuedPackets, dequeuedPackets, droppedPackets, waitingPackets } = conservationOf(records);
  assert.deepEqual([enqueuedPackets, dequeuedPackets + droppedPackets, waitingPackets], [30, 30, 0]);
  assert.ok(droppedPackets > 20);
  assert.equal(countOf(records, 'other').packets, droppedPackets);
});

test('what waited when the log began is seen to leave', { skip }, async () => {
  await shapedLink.set({ ...spec, rateBps: 1e6 }, 1);
  // added later, it would empty the queue
  await dumbbell.hosts.router.run(['tc', 'qdisc', 'add', 'dev', 'toClient', 'clsact']);
  await dumbbell.hosts.server.run(
    ['ping', '-q', '-f', '-c', '50', '-l', '50', '-s', '1472', '-W', '0.01', dumbbell.addresses.client],
    { allowFailure: true },
  );
  await record();
  await drained();
  const records = await recorded();
  const conservation = conservationOf(records);
  assert.ok(conservation.unseenPackets > 0 && conservation.unseenPackets <= 50, String(conservation.unseenPackets));
  assert.deepEqual(
    [conservation.enqueuedPackets, countOf(records, 'dequeue').packets, conservation.holds],
    [0, conservation.unseenPackets, false],
  );
});

test('what goes through other devices is not in it, and a device without a queue has nothing to tell', {
  skip,
}, async () => {
  await shapedLink.set(spec, 1);
  for (const device of ['toFlooder', 'toServer']) {
    // the answers leave through toServer
    await record(device);
    await ping(20);
    assert.deepEqual(
      (await recorded()).filter(({ protocol }) => protocol === icmp),
      [],
      device,
    );
    if (device === 'toServer') assert.ok(captured().length >= 20);
  }
});

test('a disk that is full ends it, and says so', { skip }, async () => {
  recorder = await QueueLogRecorder.start(dumbbell.hosts.router, 'toClient', '/dev/full');
  await shapedLink.set(spec, 1);
  await ping(20);
  await assert.rejects(within(recorder.failed, 10_000, 'the failure'), { code: 'disk-full' });
});

test('a device that is not there is said to be missing', { skip }, async () => {
  await assert.rejects(QueueLogRecorder.start(dumbbell.hosts.router, 'toNobody', file), {
    code: 'missing-kernel-feature',
    message: /toNobody: No such device$/,
  });
});
