/**
 * Every congestion controller of the media server, and Chromium with GCC and with SCReAMv2, on the cases of the IETF. Each media
 * flow of the media server has a voice beside its video, as RFC 8867 asks. A call of Chromium has no voice.
 */
import { defineConformance } from '../define.ts';

const video = { clip: 'high-motion', clipLength: '15s' };
const voice = { audio: { bitrate: '20kbit' } };
const live = { id: 'live-clip', ...video, ...voice };
const classic = { feedback: 'ccfb', ecn: true };

export default defineConformance({
  title: "The IETF's test cases for congestion control of real-time media",
  question: 'Which of the cases does each sender pass?',
  source: 'RFC 8867; RFC 8869; RFC 8868; RFC 8836',

  cases: ['rfc8867', 'rfc8869'],

  senders: {
    gcc: { title: 'GCC', service: { ...live, controller: 'gcc' } },
    'chromium-gcc': { title: "Chromium's GCC", service: { id: 'chromium-call', ...video, controller: 'gcc' } },
    'chromium-scream': {
      title: "Chromium's SCReAMv2",
      service: { id: 'chromium-call', ...video, controller: 'scream-v2' },
      withMarks: {},
    },
    'scream-v2': {
      title: 'SCReAMv2',
      service: { ...live, controller: 'scream-v2' },
      withMarks: { ...classic, controller: { id: 'scream-v2', ecn: 'l4s' } },
    },
    scream: { title: 'SCReAM', service: { ...live, controller: 'scream' }, withMarks: classic },
    nada: { title: 'NADA', service: { ...live, controller: 'nada' }, withMarks: classic, hasPriority: true },
    copa: { title: 'Copa', service: { ...live, controller: 'copa' } },
    'webrtc-bbr': { title: 'WebRTC-BBR', service: { ...live, controller: 'webrtc-bbr' } },
    remb: { title: 'REMB', service: { ...live, controller: 'remb' } },
    fixed: { title: 'fixed rate', service: { ...live, controller: 'fixed' } },
  },
});
