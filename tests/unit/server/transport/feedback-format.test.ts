import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answerFor, chooseFeedback, offerFor } from '../../../../server/transport/feedback-format.ts';

/** What the project's page offers in Chromium 156; with the field trial it has the wildcard line as well. */
const transportOffer = readFileSync(new URL('../../../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const ccfb = 'a=rtcp-fb:* ack ccfb\r\n';
const bothOffer = transportOffer.replace('a=rtcp-fb:108 goog-remb\r\n', `${ccfb}a=rtcp-fb:108 goog-remb\r\n`);
const ccfbOffer = bothOffer.replace('a=rtcp-fb:108 transport-cc\r\n', '');

test('transport-wide feedback is the default, RFC 8888 where it is wanted, or alone', () => {
  assert.equal(chooseFeedback(transportOffer, 'transport-cc'), 'transport-cc');
  assert.equal(chooseFeedback(bothOffer, 'transport-cc'), 'transport-cc');
  assert.equal(chooseFeedback(bothOffer, 'ccfb'), 'ccfb');
  assert.equal(chooseFeedback(ccfbOffer, 'transport-cc'), 'ccfb');
  assert.equal(chooseFeedback(ccfbOffer.replaceAll('\r\n', '\n'), 'transport-cc'), 'ccfb');
});

test('what is wanted and not offered is refused, not replaced', () => {
  assert.throws(() => chooseFeedback(transportOffer, 'ccfb'), { code: 'usage', message: 'the browser offers no feedback by RFC 8888' });
  // for one payload type only it is none: the RFC wants the wildcard
  assert.throws(() => chooseFeedback(transportOffer + 'a=rtcp-fb:108 ack ccfb\r\n', 'ccfb'), { code: 'usage' });
});

test('of the offer, only what belongs to the chosen format is left to answer', () => {
  assert.equal(offerFor('transport-cc', bothOffer), transportOffer);
  const left = offerFor('ccfb', bothOffer);
  assert.ok(!/ccfb|transport-cc|transport-wide-cc/.test(left));
  assert.equal(left.split('\r\n').length, transportOffer.split('\r\n').length - 2);
});

test('the answer names RFC 8888 once, for all payload types; the other format is left as it is', () => {
  const answer = 'v=0\r\nm=video 9 X 108 109\r\na=mid:0\r\na=rtpmap:108 H264/90000\r\na=rtcp-fb:108 nack\r\na=rtpmap:109 rtx/90000\r\n';
  assert.equal(answerFor('transport-cc', answer), answer);
  assert.equal(answerFor('ccfb', answer), answer.replace('a=rtpmap:108', `${ccfb}a=rtpmap:108`));
});
