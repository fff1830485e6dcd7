import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRates } from '../../../../../harness/services/chromium-call/answer-rates.ts';

const rates = { startBps: 1e6, minBps: 150e3, maxBps: 8e6 };
const words = 'x-google-start-bitrate=1000;x-google-min-bitrate=150;x-google-max-bitrate=8000';
const sdp = (...lines: string[]) => ['v=0', 'm=video 9 UDP/TLS/RTP/SAVPF 102 103 96 97', ...lines, ''].join('\r\n');

test('the rates stand in kbit/s behind the parameters of the codec, and of nothing else', () => {
  const lines = [
    'a=rtpmap:102 H264/90000',
    'a=fmtp:102 packetization-mode=1',
    'a=rtpmap:103 rtx/90000',
    'a=fmtp:103 apt=102',
  ];
  assert.equal(
    withRates(sdp(...lines), 'h264', rates),
    sdp('a=rtpmap:102 H264/90000', `a=fmtp:102 packetization-mode=1;${words}`, ...lines.slice(2)),
  );
});

test('every payload type of the codec has them', () => {
  const answer = withRates(
    sdp('a=rtpmap:102 H264/90000', 'a=fmtp:102 a=1', 'a=rtpmap:96 H264/90000', 'a=fmtp:96 a=2'),
    'h264',
    rates,
  );
  assert.equal(answer.split(words).length - 1, 2);
});

test('a codec without parameters gets a line of its own', () => {
  assert.equal(
    withRates(sdp('a=rtpmap:96 VP8/90000', 'a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96'), 'vp8', rates),
    sdp('a=rtpmap:96 VP8/90000', `a=fmtp:96 ${words}`, 'a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96'),
  );
});

test('an answer without the codec is refused', () => {
  assert.throws(() => withRates(sdp('a=rtpmap:96 VP8/90000'), 'h264', rates), /the answer has no h264/);
});
