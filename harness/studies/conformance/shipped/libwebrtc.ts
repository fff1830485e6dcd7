/**
 * Chromium with each of its congestion controls, and the media server with the same ones, on the links of libwebrtc's
 * own tests. Six trials decide with 95 %.
 *
 * `scream-after-ce` is not among the senders, since Chromium 156 does not have it. A later browser takes it by, for
 * example, --set senders.chromium-scream.service.controller=scream-after-ce.
 */
import { defineConformance } from '../define.ts';
import conformance from './conformance.ts';

const {
  gcc,
  scream,
  'scream-v2': screamV2,
  'chromium-gcc': chromiumGcc,
  'chromium-scream': chromiumScream,
} = conformance.senders;

export default defineConformance({
  title: "The links of libwebrtc's tests of SCReAM and L4S",
  question: 'Which of the ranges that libwebrtc expects in simulated time does each sender keep on a real link?',
  source: 'libwebrtc f3ae3eb (2026-08-21), scream_test.cc and l4s_test.cc',

  cases: ['libwebrtc'],

  senders: {
    'chromium-scream': chromiumScream!,
    'chromium-gcc': chromiumGcc!,
    'chromium-gcc-rfc8888': {
      ...chromiumGcc!,
      title: "Chromium's GCC with RFC 8888",
      service: { ...chromiumGcc!.service, controller: 'gcc-rfc8888' },
    },
    'scream-v2': screamV2!,
    scream: scream!,
    gcc: gcc!,
  },

  run: { repeats: 6 },
});
