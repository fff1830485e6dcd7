import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withParameters } from '../../../../../harness/services/chromium-call/answer-parameters.ts';

const sdp = (...lines: string[]) => ['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 63 111', ...lines, ''].join('\r\n');

test('a parameter replaces the one of its name, and others stay, also those of other codecs', () => {
  const red = ['a=rtpmap:63 red/48000/2', 'a=fmtp:63 111/111', 'a=rtpmap:111 opus/48000/2'];
  assert.equal(
    withParameters(sdp(...red, 'a=fmtp:111 minptime=10; useinbandfec=1;stereo=0'), 'opus', {
      useinbandfec: 0,
      maxaveragebitrate: 24000,
    }),
    sdp(...red, 'a=fmtp:111 minptime=10;stereo=0;useinbandfec=0;maxaveragebitrate=24000'),
  );
});
