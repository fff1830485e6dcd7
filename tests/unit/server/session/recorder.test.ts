import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import type { PacketResult, SentPacket } from '../../../../server/congestion/controller.ts';
import { readIvf, type VideoFacts } from '../../../../server/media/ivf.ts';
import { type PacketRecord, type SentFrameRecord, SessionRecorder } from '../../../../server/session/recorder.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

function setUp(video?: VideoFacts) {
  const directory = temporaryFolder();
  const recorder = new SessionRecorder(directory, video);
  return {
    recorder,
    directory,
    read: <T>(name: string) => readJsonl<T>(join(directory, `${name}.jsonl`)),
    depart: (sequence: number, sentMs: number, frame: number, kind: SentPacket['kind'] = 'media', probe?: number) =>
      recorder.onDeparture({
        sent: { sequence, sentMs, sizeBytes: 1260, kind, inFlightBytes: 0, ...(probe === undefined ? {} : { probe }) },
        rtpSequence: 100 + sequence,
        rtpTimestamp: 3000 * frame,
        frame,
        payloadBytes: 1180,
      }),
  };
}

const frame = (number: number, packets: number) => ({
  frame: number,
  rtpTimestamp: 3000 * number,
  clipFrame: number,
  captureMs: 10,
  encodedMs: 14,
  bytes: 2000,
  packets,
  key: number === 0,
  encoderBps: 1e6,
});

test('a frame is written when its last packet has left, with the times of its first and last', async () => {
  const { recorder, read, depart } = setUp();
  recorder.onEncoded(frame(0, 3), Buffer.alloc(0));
  recorder.onEncoded(frame(1, 1), Buffer.alloc(0));
  depart(0, 20, 0);
  depart(1, 21, 0, 'retransmission');
  depart(2, 22, 0);
  depart(3, 25, 0);
  depart(4, 26, 1);
  recorder.onEncoded(frame(2, 2), Buffer.alloc(0));
  depart(5, 30, 2); // its second packet never leaves
  await recorder.close();
  assert.deepEqual(await read<SentFrameRecord>('frames.sent'), [
    { ...frame(0, 3), firstPacketMs: 20, lastPacketMs: 25 },
    { ...frame(1, 1), firstPacketMs: 26, lastPacketMs: 26 },
  ]);
});

test('frames that were not encoded stand beside them', async () => {
  const { recorder, read } = setUp();
  recorder.onSkipped({ frame: 4, captureMs: 7, skipped: 'late', count: 2 });
  await recorder.close();
  assert.deepEqual(await read('frames.sent'), [{ frame: 4, captureMs: 7, skipped: 'late', count: 2 }]);
});

test('a packet is written 5 s after it was sent, with what was heard of it', async () => {
  const { recorder, read, depart } = setUp();
  depart(0, 1000, 0);
  depart(1, 1001, -1, 'padding', 3);
  const sent = { sentMs: 0, sizeBytes: 0, kind: 'media' as const, inFlightBytes: 0 };
  recorder.onFeedback(
    {
      arrivedMs: 1100,
      packets: [
        { ...sent, sequence: 0, receivedMs: null },
        { ...sent, sequence: 99, receivedMs: 1 },
      ],
      inFlightBytes: 50,
    },
    { targetBps: 7 },
  );
  recorder.onFeedback(
    { arrivedMs: 1200, packets: [{ ...sent, sequence: 0, receivedMs: 555.25 }], inFlightBytes: 0 },
    { targetBps: 8 },
  );
  recorder.flush(5999);
  recorder.flush(6000);
  recorder.onFeedback(
    { arrivedMs: 6000.5, packets: [{ ...sent, sequence: 1, receivedMs: 700 }], inFlightBytes: 0 },
    { targetBps: 8 },
  );
  recorder.onFeedback(
    { arrivedMs: 6001, packets: [{ ...sent, sequence: 0, receivedMs: 1 }], inFlightBytes: 0 },
    { targetBps: 9 },
  );
  await recorder.close();
  const common = { rtpTimestamp: 0, bytes: 1260, payloadBytes: 1180 };
  assert.deepEqual(await read<PacketRecord>('packets'), [
    {
      sequence: 0,
      kind: 'media',
      rtpSequence: 100,
      frame: 0,
      sentMs: 1000,
      receivedMs: 555.25,
      feedbackMs: 1200,
      ...common,
    },
    {
      sequence: 1,
      kind: 'padding',
      rtpSequence: 101,
      frame: -1,
      sentMs: 1001,
      probe: 3,
      receivedMs: 700,
      feedbackMs: 6000.5,
      ...common,
      rtpTimestamp: -3000,
    },
  ]);
  assert.deepEqual(await read('controller'), [
    { timeMs: 1100, inFlightBytes: 50, ackedBps: 0, targetBps: 7 },
    { timeMs: 1200, inFlightBytes: 0, ackedBps: 10_080, minRttMs: 200, targetBps: 8 },
    { timeMs: 6000.5, inFlightBytes: 0, ackedBps: 10_080, minRttMs: 200, targetBps: 8 },
    { timeMs: 6001, inFlightBytes: 0, ackedBps: 10_080, minRttMs: 200, targetBps: 9 },
  ]);
});

test("the controller's state is written where no feedback comes, ten times a second", async () => {
  const { recorder, read } = setUp();
  const feedback = (arrivedMs: number, packets: PacketResult[]) =>
    recorder.onFeedback({ arrivedMs, packets, inFlightBytes: 9 }, { targetBps: arrivedMs });
  const told: PacketResult = { sequence: 0, sentMs: 0, sizeBytes: 0, kind: 'media', inFlightBytes: 0, receivedMs: 1 };
  for (const nowMs of [25, 50, 75, 100, 125, 150]) recorder.onTick(nowMs, 7, () => ({ targetBps: nowMs }));
  feedback(200, [told]);
  for (const nowMs of [225, 299, 300]) recorder.onTick(nowMs, undefined, () => ({ targetBps: nowMs }));
  feedback(301, []);
  await recorder.close();
  assert.deepEqual(await read('controller'), [
    { timeMs: 25, inFlightBytes: 7, targetBps: 25 },
    { timeMs: 125, inFlightBytes: 7, targetBps: 125 },
    { timeMs: 200, inFlightBytes: 9, ackedBps: 0, targetBps: 200 },
    { timeMs: 300, ackedBps: 0, targetBps: 300 },
    { timeMs: 301, ackedBps: 0, targetBps: 301 },
  ]);
});

test('what the controller keeps of acked bitrate and round trip goes before ours', async () => {
  const { recorder, read, depart } = setUp();
  depart(0, 1000, 0);
  const packet: PacketResult = { sequence: 0, sentMs: 0, sizeBytes: 0, kind: 'media', inFlightBytes: 0, receivedMs: 1 };
  recorder.onFeedback({ arrivedMs: 1100, packets: [packet], inFlightBytes: 0 }, {});
  recorder.onFeedback({ arrivedMs: 1200, packets: [packet], inFlightBytes: 0 }, { ackedBps: 5, minRttMs: 7 });
  recorder.onTick(2099, 0, () => ({}));
  recorder.onTick(2200, 0, () => ({}));
  recorder.onTick(11_100, 0, () => ({}));
  await recorder.close();
  assert.deepEqual(
    (await read<{ ackedBps: number; minRttMs?: number }>('controller')).map(({ ackedBps, minRttMs }) => [
      ackedBps,
      minRttMs,
    ]),
    [
      [10_080, 100],
      [5, 7],
      [10_080, 100],
      [0, 100],
      [0, undefined],
    ],
    'a packet counts once, for a second; its round trip for ten',
  );
});

test("a probe's packets are counted, each that arrived once", async () => {
  const { recorder, read, depart } = setUp();
  recorder.onDecision({ probes: [{ id: 3, rateBps: 2e6, minPackets: 2, minBytes: 2000 }] }, 990);
  depart(0, 1000, 0, 'media', 3);
  depart(1, 1001, -1, 'padding', 3);
  depart(2, 1002, 1);
  const told = (sequence: number, receivedMs: number | null): PacketResult => ({
    sequence,
    sentMs: 0,
    sizeBytes: 0,
    kind: 'media',
    inFlightBytes: 0,
    receivedMs,
  });
  recorder.onFeedback({ arrivedMs: 1100, packets: [told(0, 5), told(1, null), told(2, 6)], inFlightBytes: 0 }, {});
  recorder.onFeedback({ arrivedMs: 1200, packets: [told(0, 5)], inFlightBytes: 0 }, {});
  recorder.onDecision({ probed: [{ id: 3, rateBps: 1.5e6 }] }, 1200);
  recorder.flush(10_990);
  await recorder.close();
  assert.deepEqual(await read('probes'), [
    {
      timeMs: 990,
      probe: 3,
      rateBps: 2e6,
      minPackets: 2,
      minBytes: 2000,
      sentPackets: 2,
      sentBytes: 2520,
      receivedPackets: 1,
      receivedBytes: 1260,
      resultBps: 1.5e6,
    },
  ]);
});

test('the encoded frames are kept where that is wanted, and only there', async () => {
  const { recorder, directory } = setUp({ width: 640, height: 360, frameRate: 60 });
  recorder.onEncoded(frame(0, 1), Buffer.from('key'));
  recorder.onEncoded(frame(3, 1), Buffer.from('next'));
  await recorder.close();
  assert.deepEqual(
    [...readIvf(join(directory, 'video.ivf'))].map(({ number, data }) => [number, data.toString()]),
    [
      [0, 'key'],
      [3, 'next'],
    ],
  );
  const without = setUp();
  await without.recorder.close();
  assert.ok(!existsSync(join(without.directory, 'video.ivf')));
});

test('round trips', async () => {
  const { recorder, read } = setUp();
  recorder.onRoundTrip(5, 12.5, 'report');
  recorder.onRoundTrip(6, 13.5, 'feedback');
  await recorder.close();
  assert.deepEqual(await read('rtt'), [
    { timeMs: 5, rttMs: 12.5, from: 'report' },
    { timeMs: 6, rttMs: 13.5, from: 'feedback' },
  ]);
});

test('a folder that is not there is told at the end', async () => {
  const recorder = new SessionRecorder(join(temporaryFolder(), 'no', 'such', 'folder'));
  await assert.rejects(recorder.close(), { code: 'cannot-write' });
});

test('where nothing is to be kept, nothing is, and everything else is as ever', async () => {
  const recorder = new SessionRecorder(null);
  recorder.onSkipped({ frame: 1, captureMs: 5, skipped: 'late', count: 1 });
  recorder.onRoundTrip(5, 20, 'report');
  await recorder.close();
});
