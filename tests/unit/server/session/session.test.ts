import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { nowMs } from '../../../../core/system/clock.ts';
import { until, within } from '../../../../core/system/deadline.ts';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import type {
  Constraints,
  Controller,
  Decision,
  Feedback,
  SentPacket,
  Trace,
} from '../../../../server/congestion/controller.ts';
import { compactNtp, ntpTimestamp } from '../../../../server/rtp/sender-report.ts';
import type { ProbeRecord } from '../../../../server/session/probe-log.ts';
import { type SentFrameRecord, SessionRecorder } from '../../../../server/session/recorder.ts';
import { Session } from '../../../../server/session/session.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { FakeEncoder, FakePeer, numberedClip } from './fakes.ts';

const deadlineMs = 20_000;
const ssrc = 0x11111111;

class FakeController implements Controller {
  constraints: Constraints | undefined;
  readonly sent: SentPacket[] = [];
  readonly feedback: Feedback[] = [];
  readonly queuedBytes: (number | undefined)[] = [];
  readonly first: Decision = { targetBps: 1.2e6, pacingBps: 50e6 };
  next: Decision = {};

  onConstraints(constraints: Constraints): Decision {
    this.constraints = constraints;
    return this.first;
  }

  onPacketSent(packet: SentPacket): Decision {
    this.sent.push(packet);
    return {};
  }

  onFeedback(feedback: Feedback): Decision {
    this.feedback.push(structuredClone(feedback));
    return {};
  }

  onTick(_: number, queuedBytes?: number): Decision {
    this.queuedBytes.push(queuedBytes);
    const decision = this.next;
    this.next = {};
    return decision;
  }

  trace(): Trace {
    return { targetBps: 1 };
  }
}

const opened: Session[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.stop();
});

function setUp({ frameRate = 100, frameBytes = 3000, first = {} as Decision, tellsOfPackets = true } = {}) {
  const directory = temporaryFolder();
  const [peer, encoder, controller] = [new FakePeer(), new FakeEncoder(), new FakeController()];
  encoder.frameBytes = frameBytes;
  Object.assign(controller.first, first);
  const session = new Session({
    peer,
    encoder: encoder.asEncoder,
    controller,
    clip: numberedClip(10),
    recorder: new SessionRecorder(directory),
    tellsOfPackets,
    options: {
      frameRate,
      startBps: 1e6,
      minBps: 100e3,
      maxBps: 8e6,
      controller: { id: '', params: {} },
      feedback: 'transport-cc',
      protectionRatio: 0,
      degradation: 'none',
      playoutDelay: null,
      pacerLimitMs: 300,
    },
  });
  opened.push(session);
  const media = () => peer.sent.filter(({ fields }) => fields.ssrc === ssrc);
  return {
    session,
    peer,
    encoder,
    controller,
    directory,
    media,
    hear: (text: string) => peer.onRtcp(Buffer.from(text.replaceAll(' ', ''), 'hex')),
    until: (holds: () => boolean, what: string) => until(() => holds() || undefined, deadlineMs, what, { everyMs: 2 }),
    sent: (count: number) =>
      until(() => media().length >= count || undefined, deadlineMs, `${count} packets`, { everyMs: 2 }),
  };
}

const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');
const nack = (sequence: number, mediaSsrc = ssrc) => `81cd0003 00000001 ${hex(mediaSsrc, 4)} ${hex(sequence, 2)} 0000`;
const pictureLoss = `81ce0002 00000001 ${hex(ssrc, 4)}`;
const fullIntraRequest = (command: number) => `84ce0004 00000001 00000000 ${hex(ssrc, 4)} ${hex(command, 1)}000000`;
/** Feedback on packets 0 to 2: packet 1 is missing, the others arrived 1 ms apart. */
const feedback = '8fcd0005 00000001 11111111 0000 0003 000010 00 d100 00 04'; // two-bit symbols 1, 0, 1

test('frames leave in packets: one timestamp and one marker each, 90 kHz', async () => {
  const { media, sent, session } = setUp();
  await sent(30);
  await session.stop();
  const frames = Map.groupBy(media(), ({ fields }) => fields.timestamp);
  for (const packets of [...frames.values()].slice(0, -1)) {
    assert.deepEqual(
      packets.map(({ fields }) => fields.marker),
      packets.map((_, i) => i === packets.length - 1),
    );
    assert.equal(packets.length, 3); // 3001 bytes in fragments of up to 1160
  }
  assert.ok(frames.size >= 10);
  const steps = [...frames.keys()].slice(1).map((timestamp, i) => (timestamp - [...frames.keys()][i]!) >>> 0);
  assert.ok(
    steps.every(step => step > 0 && step % 900 === 0),
    `${steps}`,
  ); // 90 000 / 100
});

test('packets that may not leave at once leave in time, not with the next frame', async () => {
  // a frame of 20 kB every 10 s: the burst sends 10 kB, the rest needs 40 ms
  const { encoder, media, until: wait } = setUp({ frameRate: 0.1, frameBytes: 20_000, first: { pacingBps: 2e6 } });
  await wait(() => media().some(({ fields }) => fields.marker), 'the last packet');
  assert.equal(encoder.encoded.length, 1);
  assert.equal(media().length, Math.ceil(20_000 / 1158)); // fragments of up to 1160 bytes, 2 of them headers
});

test('the longest queue since it was last asked for, as time', async () => {
  const { session, sent } = setUp({ frameRate: 0.1 });
  await sent(3);
  // 3001 bytes: 3 fragments of 2 + 1000, each with an overhead of 80, at 50 Mbit/s
  assert.ok(Math.abs(session.takePacerQueueMaxMs() - (3 * 1082 * 8000) / 50e6) < 1e-9);
  assert.equal(session.takePacerQueueMaxMs(), 0);
});

test('the controller is told limits and departures; its target reaches the encoder, less what headers take', async () => {
  const { controller, encoder, sent, session, until: wait } = setUp();
  await sent(5);
  assert.deepEqual(controller.constraints, { minBps: 100e3, startBps: 1e6, maxBps: 8e6 });
  assert.deepEqual(
    controller.sent.slice(0, 3).map(({ sequence, kind }) => [sequence, kind]),
    [
      [0, 'media'],
      [1, 'media'],
      [2, 'media'],
    ],
  );
  const within = (targetBps: number) => encoder.rateBps < targetBps && encoder.rateBps >= targetBps / 2;
  await wait(() => within(1.2e6), 'the first target');
  controller.next = { targetBps: 4e6 };
  await wait(() => within(4e6) && encoder.rateBps > 1.2e6, 'the next target');
  assert.deepEqual([session.targetBps, session.encoderBps], [4e6, encoder.rateBps]);
});

test('feedback comes to the controller resolved, once', async () => {
  const { controller, hear, sent, session, directory } = setUp();
  await sent(6);
  const before = nowMs();
  hear(feedback);
  hear(feedback);
  assert.equal(controller.feedback.length, 1);
  const [{ packets, arrivedMs, rttMs }] = controller.feedback as [Feedback];
  assert.deepEqual(
    packets.map(({ sequence, receivedMs }) => [sequence, receivedMs]),
    [
      [0, 1024],
      [1, null],
      [2, 1025],
    ],
  );
  assert.ok(arrivedMs >= before && rttMs === undefined);
  await session.stop();
  // the newest received packet is packet 2
  assert.deepEqual(await readJsonl(join(directory, 'rtt.jsonl')), [
    { timeMs: arrivedMs, rttMs: arrivedMs - controller.sent[2]!.sentMs, from: 'feedback' },
  ]);
});

test("the receiver's estimate comes to the controller where it speaks of the media", async () => {
  const { controller, hear, sent, session, directory } = setUp();
  await sent(3);
  const before = nowMs();
  hear(`8fce0005 00000001 00000000 52454d42 01040001 ${hex(0x33333333, 4)}`);
  hear('8fce0004 00000001 00000000 52454d42 00040001');
  assert.equal(controller.feedback.length, 0);
  hear(`8fce0006 00000001 00000000 52454d42 021a20df ${hex(ssrc, 4)} 22222222`);
  const [{ arrivedMs, ...estimate }] = controller.feedback as [Feedback];
  assert.ok(arrivedMs >= before);
  assert.deepEqual(estimate, { packets: [], inFlightBytes: 0, receiverEstimateBps: 8_927_168 });
  await session.stop();
  const lines = await readJsonl<{ timeMs: number }>(join(directory, 'controller.jsonl'));
  assert.deepEqual(
    lines.filter(({ timeMs }) => timeMs === arrivedMs),
    [{ timeMs: arrivedMs, targetBps: 1 }],
    'nothing is known of what is in flight',
  );
});

test("without feedback the controller's state is written all the same, and what its probes came to", async () => {
  const { session, directory, sent } = setUp({
    first: { probes: [{ id: 1, rateBps: 20e6, minPackets: 3, minBytes: 2000 }] },
  });
  await sent(100);
  await session.stop();
  const lines = await readJsonl<{ timeMs: number; inFlightBytes: number }>(join(directory, 'controller.jsonl'));
  const [first] = lines;
  assert.ok(
    lines.length >= 2 && lines.length <= (lines.at(-1)!.timeMs - first!.timeMs) / 100 + 1,
    `${lines.length} lines`,
  );
  assert.ok(lines.at(-1)!.inFlightBytes > first!.inFlightBytes, 'nothing was told of');
  const [probe] = await readJsonl<ProbeRecord>(join(directory, 'probes.jsonl'));
  assert.ok(
    probe!.probe === 1 &&
      probe!.sentPackets >= 3 &&
      probe!.sentBytes >= 2000 &&
      probe!.receivedPackets === 0 &&
      probe!.resultBps === null,
    JSON.stringify(probe),
  );
});

test('where the receiver tells of no packets, nothing is said of what is in flight', async () => {
  const { session, directory, controller, until: wait } = setUp({ tellsOfPackets: false });
  await wait(() => controller.queuedBytes.length >= 2, 'the second tick');
  await session.stop();
  assert.deepEqual(Object.keys((await readJsonl<object>(join(directory, 'controller.jsonl')))[0]!), [
    'timeMs',
    'targetBps',
  ]);
});

test('feedback by RFC 8888 comes to the controller in the same form, with ECN', async () => {
  const { controller, hear, media, sent } = setUp();
  await sent(6);
  // two packets of the media stream, 1/1024 s apart, marked ECT(1) and CE; the report's timestamp is 1 s
  hear(`8bcd0005 00000001 ${hex(ssrc, 4)} ${hex(media()[0]!.fields.sequence, 2)} 0002 a001 e000 00010000`);
  const [{ packets }] = controller.feedback as [Feedback];
  assert.deepEqual(
    packets.map(({ sequence, receivedMs, ecn }) => [sequence, receivedMs, ecn]),
    [
      [0, 1000 - 1000 / 1024, 'ect1'],
      [1, 1000, 'ce'],
    ],
  );
});

test('the controller is told what waits in the pacer', async () => {
  // a frame of 20 kB every 10 s at 100 kbit/s: the burst sends one or two packets, the rest waits for more than a
  // second
  const { controller, sent, until: wait } = setUp({ frameRate: 0.1, frameBytes: 20_000, first: { pacingBps: 100e3 } });
  await sent(1);
  await wait(
    () => controller.queuedBytes.some(bytes => bytes !== undefined && bytes > 10_000 && bytes < 22_000),
    'the queue',
  );
});

test('a NACK is answered on the repair stream; a copy that waits or was just sent is not sent again', async () => {
  const { peer, hear, media, sent, session, until: wait } = setUp();
  await sent(6);
  const {
    fields: { sequence },
    payload,
  } = media()[1]!;
  hear(nack(sequence) + nack(sequence));
  await wait(() => peer.sent.some(({ fields }) => fields.ssrc === 0x22222222), 'the repair');
  await sent(media().length + 6); // a second copy would have left before these
  const repairs = peer.sent.filter(({ fields }) => fields.ssrc === 0x22222222);
  assert.equal(repairs.length, 1);
  assert.deepEqual(repairs[0]!.payload, Buffer.concat([Buffer.from(hex(sequence, 2), 'hex'), payload]));
  assert.equal(session.counters.nackedPackets, 2);
});

test('a NACK of the repair stream is not one of the media', async () => {
  const { hear, media, sent, session } = setUp();
  await sent(6);
  hear(nack(media()[1]!.fields.sequence, 0x22222222));
  assert.equal(session.counters.nackedPackets, 0);
});

/** Waits until `count` key frames were requested from the encoder, including the first. */
const keyFrames = (run: ReturnType<typeof setUp>, count: number) =>
  run.until(() => run.encoder.encoded.filter(({ key }) => key).length === count, `${count} key frames`);

test('PLI, and a NACK of what is gone, make a key frame', async () => {
  for (const ask of [
    () => pictureLoss,
    (run: ReturnType<typeof setUp>) => nack((run.media()[0]!.fields.sequence - 1) & 0xffff),
  ]) {
    const run = setUp();
    await run.sent(3);
    run.hear(ask(run));
    await keyFrames(run, 2);
    await run.session.stop();
  }
});

test('a FIR makes a key frame once a command; requests of one moment make one', async () => {
  const run = setUp();
  await run.sent(3);
  run.hear(fullIntraRequest(7));
  run.hear(fullIntraRequest(7) + pictureLoss + pictureLoss);
  await keyFrames(run, 2);
  const { length } = run.encoder.encoded;
  await run.until(() => run.encoder.encoded.length >= length + 3, 'three more frames');
  assert.equal(run.encoder.encoded.filter(({ key }) => key).length, 2);
  assert.deepEqual([run.session.counters.fullIntraRequests, run.session.counters.pictureLossIndications], [1, 2]);
});

test('the round trip comes from reports on the media, and goes along with feedback', async () => {
  const { controller, hear, sent, session } = setUp();
  await sent(6);
  const report = (source: number, lastSenderReport: number) =>
    `81c90007 00000001 ${hex(source, 4)} 00 000000 00000000 00000000 ${hex(lastSenderReport, 4)} ${hex(65536 / 2, 4)}`;
  const sentAt = compactNtp(ntpTimestamp(nowMs() - 1500)); // sent 1500 ms ago, held for 500
  hear(report(0x22222222, sentAt));
  hear(report(ssrc, 0));
  assert.equal(session.rttMs, undefined);
  hear(report(ssrc, sentAt));
  assert.ok(session.rttMs! >= 999 && session.rttMs! < 1000 + deadlineMs, `${session.rttMs}`);
  hear(feedback);
  assert.equal(controller.feedback[0]!.rttMs, session.rttMs);
});

test('sender reports count media alone', async () => {
  const { peer, hear, media, sent, until: wait } = setUp();
  await sent(3);
  hear(nack(media()[0]!.fields.sequence));
  await wait(() => peer.rtcp.length >= 1, 'a sender report');
  const [report] = peer.rtcp;
  assert.deepEqual([report!.readUInt8(1), report!.readUInt32BE(4)], [200, ssrc]);
  const count = report!.readUInt32BE(20);
  assert.ok(count > 0 && count <= media().length);
  assert.equal(
    report!.readUInt32BE(24),
    media()
      .slice(0, count)
      .reduce((sum, { payload }) => sum + payload.length, 0),
  );
});

test('a sender report says which timestamp belongs to which time', async () => {
  const { peer, session, directory, until: wait } = setUp();
  await wait(() => peer.rtcp.length >= 1, 'a sender report');
  await session.stop();
  const [report] = peer.rtcp;
  const reportMs = (report!.readUInt32BE(8) - 2_208_988_800) * 1000 + (report!.readUInt32BE(12) * 1000) / 2 ** 32;
  const frames = (await readJsonl<SentFrameRecord>(join(directory, 'frames.sent.jsonl'))).filter(
    frame => 'rtpTimestamp' in frame,
  );
  assert.ok(frames.length > 0);
  for (const { captureMs, rtpTimestamp } of frames) {
    const sinceReportMs = ((rtpTimestamp - report!.readUInt32BE(16)) | 0) / 90;
    // frames are taken within their period of 10 ms
    assert.ok(
      Math.abs(captureMs - reportMs - sinceReportMs) < 50,
      `${captureMs - reportMs} ms by the clock, ${sinceReportMs} by the timestamps`,
    );
  }
});

test('malformed RTCP is counted, what is whole before it is used', async () => {
  const run = setUp();
  await run.sent(3);
  run.hear(`${pictureLoss} 81cd00`);
  run.hear('ffff');
  run.hear('');
  assert.equal(run.session.counters.malformedRtcp, 2);
  await keyFrames(run, 2);
});

test('after stop nothing is sent, nothing is heard, and the encoder is closed', async () => {
  const { session, peer, encoder, hear, sent } = setUp();
  await sent(5);
  await within(session.stop(), deadlineMs, 'the session to stop');
  const { length } = peer.sent;
  hear(nack(peer.sent[0]!.fields.sequence));
  assert.deepEqual([peer.sent.length, encoder.closed, session.counters.nackedPackets], [length, true, 0]);
  await session.ended;
  await session.stop();
});

test('a fault of the encoder is told, and stop still writes the record', async () => {
  const { session, encoder, directory, sent } = setUp();
  await sent(5);
  encoder.fault = new Error('the encoder broke');
  await assert.rejects(within(session.ended, deadlineMs, 'the fault'), /the encoder broke/);
  await session.stop();
  assert.ok((await readJsonl(join(directory, 'packets.jsonl'))).length >= 5);
});
