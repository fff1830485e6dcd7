/**
 * Cases of libwebrtc's tests of L4S. Most of them are about signalling and marks, and need no link.
 * Source: libwebrtc f3ae3eb (2026-08-21), test/peer_scenario/bwe_integration_tests/l4s_test.cc.
 */
import { defineCases } from '../case.ts';
import { testsOf, unlimited } from '../libwebrtc.ts';

const { leftOut, ranged } = testsOf('l4s_test.cc');

const signalling = 'it is about the session description, not about a link';
const secondPath = 'it asks for a second network path to which the call moves';
const rtcpRate =
  'it bounds the rate of RTCP on a link of 50 kbit/s, of which the record knows nothing; links here have 64 kbit/s or more';

export default defineCases({
  '250kbit': ranged({
    title: '250 kbit/s, video in both directions',
    tests: 'AdaptToLinkCapacityWithoutEcn, for each format of the feedback',
    differs: 'The format of the feedback is that of the sender. The mean round trip of less than 250 ms is not judged.',
    windowS: 5,
    link: { rate: '250kbit', queue: { limit: unlimited }, up: { rate: '250kbit', queue: 'same' } },
    media: { 'media-1': {}, 'media-2': { direction: 'up' } },
    frames: { width: 320, height: 180 },
    most: '600kbit', // of a camera with 240 lines
    each: { kbit: [150, 300], from: 4 },
  }),
  'negotiated-feedback': leftOut(
    'feedback of RFC 8888 in offer and answer',
    'NegotiateAndUseCcfbIfEnabled',
    signalling,
  ),
  'renegotiated-feedback': leftOut(
    'feedback after a second offer',
    'NoCcfbSentAfterRenegotiationAndCallerCachesLocalDescription',
    signalling,
  ),
  ect1: leftOut(
    'every packet has ECT(1)',
    'SendsEct1WithScream',
    'it bounds no rate; a sender that has to set ECT(1) and does not ends any trial with marks',
  ),
  'route-change': leftOut('ECT(1) after a change of the route', 'SendsEct1AfterRouteChangeEvenIfBleached', secondPath),
  'relay-to-direct': leftOut(
    'ECT(1) after a change from a relay to a direct path',
    'SendsEct1AfterRouteChangeFromTurnWithBleachingToDirect',
    secondPath,
  ),
  'rtcp-ect1': leftOut(
    'RTCP with ECT(1) where RTP has it',
    'RtcpSentAsEct1IfRtpWithEct1Received',
    'it counts marks of RTCP, which the record does not tell from those of other packets',
  ),
  'rtcp-bleached': leftOut(
    'RTCP without ECT(1) where the path clears it',
    'RtcpSentAsNotEctIfRtpEcnBleached',
    'it asks for a path that clears the ECN field, which the emulator does not do',
  ),
  'rtcp-rate-used': leftOut('RTCP on a slow link that is in use', 'RtcpRateReducedWhenLinkIsUtilized', rtcpRate),
  'rtcp-rate-unused': leftOut('RTCP after the voice has ended', 'RtcpRateIncreaseWhenAudioStopSending', rtcpRate),
  'rtcp-rate-silent': leftOut('RTCP of a client without media', 'RtcpRateHigherWhenCallerNeverSendsMedia', rtcpRate),
});
