import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answerFor, chooseFeedback, offerFor } from '../../../../server/transport/feedback-format.ts';

/** Offer of the project's page in Chromium 156. With the field trial it also has RFC 8888, in one of two forms. */
const transportOffer = readFileSync(new URL('../../../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const ccfb = 'a=rtcp-fb:* ack ccfb\r\n';
const remb = 'a=rtcp-fb:108 goog-remb\r\n';
const sendTime = 'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time\r\n';
const bothOffer = transportOffer.replace('a=rtcp-fb:108 goog-remb\r\n', `${ccfb}a=rtcp-fb:108 goog-remb\r\n`);
const perTypeOffer = transportOffer.replace(
  'a=rtcp-fb:108 goog-remb\r\n',
  'a=rtcp-fb:108 ack ccfb\r\na=rtcp-fb:108 goog-remb\r\n',
);
const ccfbOffer = bothOffer.replace('a=rtcp-fb:108 transport-cc\r\n', '');

test('transport-wide feedback is the default, RFC 8888 where it is wanted, or alone', () => {
  assert.equal(chooseFeedback(transportOffer, 'transport-cc'), 'transport-cc');
  assert.equal(chooseFeedback(bothOffer, 'transport-cc'), 'transport-cc');
  assert.equal(chooseFeedback(bothOffer, 'ccfb'), 'ccfb');
  assert.equal(chooseFeedback(ccfbOffer, 'transport-cc'), 'ccfb');
  assert.equal(chooseFeedback(perTypeOffer, 'ccfb'), 'ccfb');
  assert.equal(chooseFeedback(perTypeOffer, 'transport-cc'), 'transport-cc');
  assert.equal(chooseFeedback(ccfbOffer.replaceAll('\r\n', '\n'), 'transport-cc'), 'ccfb');
});

test('what is wanted and not offered is refused, not replaced', () => {
  assert.throws(() => chooseFeedback(transportOffer, 'ccfb'), {
    code: 'usage',
    message: 'the browser offers no feedback by RFC 8888',
  });
  for (const other of ['a=rtcp-fb:108 ack', 'a=rtcp-fb:108 ccfb', 'a=rtcp-fb:108 ack ccfb2'])
    assert.throws(() => chooseFeedback(`${transportOffer}${other}\r\n`, 'ccfb'), { code: 'usage' }, other);
});

test('an offer without any report of arrivals is refused', () => {
  const bare = transportOffer.replace('a=rtcp-fb:108 transport-cc\r\n', '');
  assert.ok(bare.length < transportOffer.length);
  assert.throws(() => chooseFeedback(bare, 'transport-cc'), {
    code: 'usage',
    message: /^the browser offers neither transport-wide feedback nor that of RFC 8888/,
  });
  assert.equal(chooseFeedback(bare, 'remb'), 'remb');
});

test('of the offer, only what belongs to the chosen format is left to answer', () => {
  const transportAlone = transportOffer.replace(remb, '');
  assert.ok(transportAlone.length < transportOffer.length);
  assert.equal(offerFor('transport-cc', bothOffer), transportAlone);
  assert.equal(offerFor('transport-cc', perTypeOffer), transportAlone);
  const left = offerFor('ccfb', bothOffer);
  assert.ok(!/ccfb|transport-cc|transport-wide-cc|goog-remb/.test(left));
  assert.equal(left.split('\r\n').length, transportOffer.split('\r\n').length - 3);
  assert.ok(/^a=rtcp-fb:108 ack ccfb$/m.test(offerFor('ccfb', perTypeOffer).replaceAll('\r', '')));
});

test("REMB is what a controller wants that goes by the receiver's estimate: nothing that reports arrivals is left", () => {
  assert.equal(chooseFeedback(bothOffer, 'remb'), 'remb');
  assert.equal(chooseFeedback(transportOffer.replaceAll('\r\n', '\n'), 'remb'), 'remb');
  const left = [bothOffer, perTypeOffer, transportOffer].map(offer => offerFor('remb', offer));
  for (const offer of left) assert.equal(offer, left[0]);
  assert.ok(
    left[0]!.includes(remb) && left[0]!.includes(sendTime) && !/ccfb|transport-cc|transport-wide-cc/.test(left[0]!),
  );
  assert.equal(left[0]!.split('\r\n').length, transportOffer.split('\r\n').length - 2);
});

test('REMB and the sending times it is made of are both needed', () => {
  for (const line of [remb, sendTime]) {
    assert.ok(transportOffer.includes(line));
    assert.throws(() => chooseFeedback(transportOffer.replace(line, ''), 'remb'), {
      code: 'usage',
      message: /no REMB with absolute send times/,
    });
  }
});

test("the answer is in the offer's form: the wildcard is added, what names a payload type is in it already", () => {
  const answer =
    'v=0\r\nm=video 9 X 108 109\r\na=mid:0\r\na=rtpmap:108 H264/90000\r\na=rtcp-fb:108 nack\r\na=rtpmap:109 rtx/90000\r\n';
  assert.equal(answerFor('ccfb', bothOffer, answer), answer.replace('a=rtpmap:108', `${ccfb}a=rtpmap:108`));
  assert.equal(answerFor('ccfb', perTypeOffer, answer), answer);
  assert.equal(answerFor('transport-cc', bothOffer, answer), answer);
});
