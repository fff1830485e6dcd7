import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkOffer, withoutHiddenCandidates } from '../../../../server/transport/offer.ts';

/** Offer of the project's page in Chromium 156. */
const offer = readFileSync(new URL('../../../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const video = offer.slice(offer.indexOf('m=video'));

const refusal = (sdp: string) => {
  try {
    checkOffer(sdp);
  } catch (error) {
    assert.equal((error as { code: string }).code, 'usage');
    return (error as Error).message;
  }
  return assert.fail('was accepted');
};

test('what Chromium offers passes, with either end of line', () => {
  checkOffer(offer);
  checkOffer(offer.replaceAll('\r\n', '\n'));
});

test('one section of video is expected', () => {
  assert.equal(refusal('v=0\r\n'), 'the offer has no video section');
  assert.equal(refusal(offer.replace('m=video', 'm=audio')), 'the offer has no video section');
  assert.equal(refusal(offer + video), 'the offer has 2 media sections; one of video is expected');
  assert.equal(
    refusal(offer + video.replace('m=video', 'm=application')),
    'the offer has 2 media sections; one of video is expected',
  );
});

test('video and then a voice are expected where both are wanted', () => {
  const media = ['video', 'audio'] as const;
  const voice = readFileSync(new URL('../../../golden/chromium-voice-offer.sdp', import.meta.url), 'utf8');
  checkOffer(voice, media);
  assert.throws(() => checkOffer(offer, media), { message: 'the offer has no audio section' });
  const sections = voice.split(/(?=m=)/);
  assert.throws(() => checkOffer([sections[0], sections[2], sections[1]].join(''), media), {
    message: 'the offer has 2 media sections; one of video and then one of audio is expected',
  });
});

test('without what ICE and DTLS need there would be no connection', () => {
  for (const name of ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup']) {
    assert.equal(refusal(offer.replace(new RegExp(`^a=${name}:.*\r\n`, 'm'), '')), `the offer has no ${name}`);
    assert.equal(refusal(offer.replace(new RegExp(`^a=${name}:.*$`, 'm'), `a=${name}:`)), `the offer has no ${name}`);
  }
});

test('a payload type is a number of 7 bits, described once', () => {
  const map = 'a=rtpmap:108 H264/90000';
  assert.equal(refusal(offer.replace(map, `${map}\r\n${map}`)), 'the offer describes a payload type twice');
  assert.equal(
    refusal(offer.replace(map, `${map}\na=rtpmap:0108 VP8/90000`)),
    'the offer describes a payload type twice',
  );
  for (const type of ['0', '127']) checkOffer(offer.replace(map, `a=rtpmap:${type} H264/90000`));
  for (const type of ['128', '-1', 'x', ''])
    assert.equal(
      refusal(offer.replace(map, `a=rtpmap:${type} H264/90000`)),
      'the offer describes a payload type that is none',
    );
});

test('an offer of thousands of lines is none', () => {
  assert.match(refusal(offer + 'a=rtcp-fb:* nack\r\n'.repeat(3000)), /has 30\d\d lines/);
  const spare = 500 - offer.split('\r\n').length;
  checkOffer(offer + 'a=rtcp-fb:* nack\r\n'.repeat(spare));
  assert.match(refusal(offer + 'a=rtcp-fb:* nack\r\n'.repeat(spare + 1)), /has 501 lines/);
});

test('hidden candidates are left out, everything else stays to the letter', () => {
  const plain = 'v=0\r\na=candidate:1 1 udp 2122 10.0.2.2 50000 typ host\r\na=x\r\n';
  assert.equal(withoutHiddenCandidates(plain), plain);
  assert.equal(
    withoutHiddenCandidates(
      `v=0\r\na=candidate:2 1 udp 2122 3f0c.local 50001 typ host generation 0\r\n${plain.slice(5)}`,
    ),
    plain,
  );
  assert.equal(withoutHiddenCandidates('a=x'), 'a=x');
});
