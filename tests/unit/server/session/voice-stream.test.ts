import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { sleep, until } from '../../../../core/system/deadline.ts';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import { loadVoice, recordedVoice } from '../../../../server/media/voice/clip.ts';
import { VoiceEncoder } from '../../../../server/media/voice/encoder.ts';
import { extensionUri } from '../../../../server/rtp/header-extensions.ts';
import { type PacketRecord, SessionRecorder } from '../../../../server/session/recorder.ts';
import { Session } from '../../../../server/session/session.ts';
import { type VoiceClipRecord, type VoiceSentRecord, VoiceStream } from '../../../../server/session/voice-stream.ts';
import type { Departure } from '../../../../server/transport/rtp-sender.ts';
import { SentPackets } from '../../../../server/transport/sent-packets.ts';
import { VoiceSender } from '../../../../server/transport/voice-sender.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { FakeEncoder, FakePeer, numberedClip } from './fakes.ts';

const deadlineMs = 20_000;
const clip = loadVoice(null);
const voice = {
  ssrc: 0x33333333,
  payloadType: 111,
  redPayloadType: 63 as number | undefined,
  mid: '1',
  extensions: new Map<string, number>([
    [extensionUri.mid, 9],
    [extensionUri.transportSequence, 4],
  ]),
};
const usual = { clip: null, bitrateBps: 32e3, fec: false, red: 0, dtx: false, frameMs: 20, sync: true };

const running: { stream: VoiceStream; ended: Promise<void>; recorder: SessionRecorder }[] = [];
afterEach(async () => {
  for (const { stream, ended, recorder } of running.splice(0)) {
    stream.stop();
    await ended;
    await recorder.close();
  }
});

async function start(options = usual, parameters = voice) {
  const directory = temporaryFolder();
  const [peer, recorder] = [new FakePeer(), new SessionRecorder(directory, undefined, true)];
  const departures: Departure[] = [];
  let number = 1000;
  const numbers = { sentPackets: new SentPackets(), takeNumber: () => number++ };
  const sender = new VoiceSender(peer, parameters, numbers, departure => {
    departures.push(departure);
    recorder.onDeparture(departure);
  });
  const stream = new VoiceStream({ clip, encoder: await VoiceEncoder.open(options), sender, options, recorder });
  running.push({ stream, ended: stream.run(), recorder });
  await until(() => peer.sent.length >= 60 || undefined, deadlineMs, '60 packets', { everyMs: 5 });
  return { directory, peer, stream, departures };
}

test('each frame is a packet of its own stream, with consecutive numbers and timestamps of 48 kHz', async () => {
  const { peer, departures } = await start();
  const [first] = peer.sent;
  for (const [i, { fields }] of peer.sent.entries()) {
    assert.equal(fields.ssrc, voice.ssrc);
    assert.equal(fields.payloadType, 111);
    assert.equal(fields.sequence, (first!.fields.sequence + i) & 0xffff);
    assert.equal(fields.timestamp, (first!.fields.timestamp + 960 * i) >>> 0);
    assert.equal(fields.marker, i === 0);
    const ids = fields.extensions.map(({ id, payload }) => [id, payload.toString('hex')]);
    assert.deepEqual(ids, [...(i < 50 ? [[9, '31']] : []), [4, (1000 + i).toString(16).padStart(4, '0')]]);
  }
  assert.ok(
    departures.every(({ sent, frame }, i) => sent.kind === 'voice' && sent.sequence === 1000 + i && frame === -1),
  );
});

test('redundant audio repeats the frames before, and is plain Opus where the browser does not take it', async () => {
  const { peer } = await start({ ...usual, red: 2 });
  assert.ok(peer.sent.every(({ fields }) => fields.payloadType === 63));
  const sizes = peer.sent.map(({ payload }) => payload.length);
  assert.equal(peer.sent[0]!.payload[0], 111, 'nothing is before the first frame');
  assert.ok(peer.sent[2]!.payload[0] === 0xef && peer.sent[2]!.payload[4] === 0xef && peer.sent[2]!.payload[8] === 111);
  assert.ok(sizes[10]! > 2 * sizes[0]!);
  const plain = await start({ ...usual, red: 2 }, { ...voice, redPayloadType: undefined });
  assert.ok(plain.peer.sent.every(({ fields }) => fields.payloadType === 111));
});

test('its sender report has its own clock and counts, its record the clip and the places in it', async () => {
  const { directory, stream, peer } = await start();
  const { ended, recorder } = running.pop()!;
  stream.stop();
  await ended;
  await recorder.close();
  const lines = await readJsonl<VoiceSentRecord>(join(directory, 'voice.sent.jsonl'));
  const { spokenMs, rtpTimestamp, clipMs } = lines[0]!;
  assert.deepEqual([clipMs, rtpTimestamp], [0, peer.sent[0]!.fields.timestamp]);
  for (const line of lines) {
    assert.equal(line.spokenMs - spokenMs, line.clipMs);
    assert.equal((line.rtpTimestamp - rtpTimestamp) >>> 0, line.clipMs * 48);
  }
  const report = stream.report(spokenMs + 500, 'coexist');
  assert.equal(report.readUInt32BE(4), voice.ssrc);
  assert.equal((report.readUInt32BE(16) - rtpTimestamp) >>> 0, 24_000);
  assert.equal(report.readUInt32BE(20), peer.sent.length);
  const parts = await readJsonl<VoiceClipRecord>(join(directory, 'voice.clip.jsonl'));
  const recorded = recordedVoice(clip);
  assert.deepEqual(Buffer.concat(parts.map(({ pcm }) => Buffer.from(pcm, 'base64'))), Buffer.from(recorded.buffer));
  const packets = await readJsonl<PacketRecord>(join(directory, 'packets.jsonl'));
  assert.ok(
    packets.length === peer.sent.length && packets.every(({ kind, frame }) => kind === 'voice' && frame === -1),
  );
});

test('a session sends the voice beside the video, and takes its rate off the target of the encoder', async () => {
  const peer = new FakePeer();
  peer.voice = voice;
  const [encoder, told] = [new FakeEncoder(), { maxBps: 0, kinds: new Set<string>() }];
  const session = new Session({
    peer,
    encoder: encoder.asEncoder,
    clip: numberedClip(10),
    recorder: new SessionRecorder(temporaryFolder(), undefined, true),
    voice: { clip, encoder: await VoiceEncoder.open(usual) },
    controller: {
      onConstraints: ({ maxBps }) => {
        told.maxBps = maxBps;
        return { targetBps: 1e6, pacingBps: 50e6 };
      },
      onPacketSent: ({ kind }) => {
        told.kinds.add(kind);
        return {};
      },
      onFeedback: () => ({}),
      onTick: () => ({}),
      trace: () => ({}),
    },
    options: {
      frameRate: 30,
      startBps: 1e6,
      minBps: 100e3,
      maxBps: 8e6,
      controller: { id: '', params: {} },
      feedback: 'transport-cc',
      protectionRatio: 0,
      degradation: 'none',
      playoutDelay: null,
      pacerLimitMs: 300,
      voice: usual,
    },
  });
  const isVoice = (one: (typeof peer.sent)[number]) => one.fields.ssrc === voice.ssrc;
  await until(() => peer.sent.filter(isVoice).length > 10 || undefined, deadlineMs, 'the voice', { everyMs: 5 });
  await until(() => peer.rtcp.length >= 2 || undefined, deadlineMs, 'the sender reports', { everyMs: 5 });
  await session.stop();
  assert.deepEqual([...told.kinds].sort(), ['media', 'voice']);
  assert.equal(told.maxBps, 8e6 + 32e3 + 68 * 8 * 50);
  assert.deepEqual(
    peer.rtcp.slice(0, 2).map(report => report.readUInt32BE(4)),
    [voice.ssrc, peer.stream.ssrc],
  );
  // at most the share without headers of what the voice leaves
  assert.ok(encoder.encoded.length > 1);
  for (const { rateBps } of encoder.encoded.slice(1)) assert.ok(rateBps < 1.15 * (1e6 - 59e3), String(rateBps));
});

test('paused, nothing is sent while the clip goes on, and the first packet after it begins a talk spurt', async () => {
  const { peer, stream } = await start();
  stream.setPaused(true);
  const before = peer.sent.length;
  await sleep(200);
  assert.equal(peer.sent.length, before);
  stream.setPaused(false);
  await until(() => peer.sent.length > before || undefined, deadlineMs, 'a packet after the pause');
  const [last, next] = [peer.sent[before - 1]!.fields, peer.sent[before]!.fields];
  assert.ok((next.timestamp - last.timestamp) >>> 0 >= 200 * 48, 'its timestamp counts the pause');
  assert.equal((next.sequence - last.sequence) & 0xffff, 1, 'nothing is missing');
  assert.equal(next.marker, true);
});
