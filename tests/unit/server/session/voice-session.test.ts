import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { nowMs } from '../../../../core/system/clock.ts';
import { until } from '../../../../core/system/deadline.ts';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import { loadVoice } from '../../../../server/media/voice/clip.ts';
import { VoiceEncoder } from '../../../../server/media/voice/encoder.ts';
import { extensionUri } from '../../../../server/rtp/header-extensions.ts';
import { compactNtp, ntpTimestamp } from '../../../../server/rtp/sender-report.ts';
import { type PacketRecord, SessionRecorder } from '../../../../server/session/recorder.ts';
import { VoiceSession } from '../../../../server/session/voice-session.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { FakePeer } from './fakes.ts';

const deadlineMs = 20_000;
const ssrc = 0x33333333;
const voice = {
  ssrc,
  payloadType: 111,
  redPayloadType: undefined,
  mid: '0',
  extensions: new Map([[extensionUri.transportSequence, 4]]),
};
const options = { clip: null, bitrateBps: 32e3, fec: true, red: 0, dtx: false, frameMs: 20, sync: false };
const hex = (value: number) => value.toString(16).padStart(8, '0');

test('a voice alone is sent, and feedback and reports on it are recorded', async () => {
  const directory = temporaryFolder();
  const peer = new FakePeer();
  const session = new VoiceSession({
    peer,
    voice,
    clip: loadVoice(null),
    encoder: await VoiceEncoder.open(options),
    options,
    recorder: new SessionRecorder(directory, undefined, true),
  });
  const hear = (text: string) => peer.onRtcp(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  await until(() => peer.sent.length >= 3 || undefined, deadlineMs, 'three packets', { everyMs: 2 });
  // transport-wide feedback on packets 0 to 2: packet 1 is missing, the others arrived 1 ms apart
  hear(`8fcd0005 00000001 ${hex(ssrc)} 0000 0003 000010 00 d100 00 04`); // two-bit symbols 1, 0, 1
  // a receiver report that answers a sender report of 1 s ago, after 0.5 s
  const lastReport = compactNtp(ntpTimestamp(nowMs() - 1000));
  hear(`81c90007 00000001 ${hex(ssrc)} 00000000 00000003 00000000 ${hex(lastReport)} 00008000`);
  await until(() => peer.rtcp.length > 0 || undefined, deadlineMs, 'a sender report', { everyMs: 5 });
  assert.equal(peer.rtcp[0]!.readUInt32BE(4), ssrc);
  const sample = session.sample();
  assert.ok(sample.framesEncoded >= 3 && sample.sentPackets === sample.framesEncoded && sample.frameLatenessMaxMs > 0);
  assert.ok(sample.rttMs! >= 500 && sample.rttMs! < 5000 && sample.malformedRtcp === 0);
  await session.stop();
  await session.ended;
  const sent = peer.sent.length;
  const packets = await readJsonl<PacketRecord>(join(directory, 'packets.jsonl'));
  assert.equal(packets.length, sent);
  assert.deepEqual(
    packets.slice(0, 3).map(({ kind, receivedMs }) => [kind, receivedMs !== null]),
    [
      ['voice', true],
      ['voice', false],
      ['voice', true],
    ],
  );
  const trips = await readJsonl<{ rttMs: number; from: string }>(join(directory, 'rtt.jsonl'));
  const told = trips.find(({ from }) => from === 'report')!;
  assert.ok(told.rttMs >= 500 && told.rttMs < 5000, String(told.rttMs));
});

test('what is not on the voice, or no RTCP at all, changes nothing', async () => {
  const peer = new FakePeer();
  const session = new VoiceSession({
    peer,
    voice,
    clip: loadVoice(null),
    encoder: await VoiceEncoder.open(options),
    options,
    recorder: new SessionRecorder(null, undefined, true),
  });
  for (const text of ['', 'ff', `81c90007 00000001 ${hex(7)} 00000000 00000003 00000000 00000000 00008000`])
    peer.onRtcp(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  await until(() => peer.sent.length > 0 || undefined, deadlineMs, 'a packet', { everyMs: 2 });
  await session.stop();
});
