/**
 * Study of the flagship's link at several base round-trip times, formed by three shapers: tc's HTB, tc's TBF, and the
 * emulator, which serialises packets.
 *
 * The whole grid has 63 conditions. A command can choose a part of them, for example the three most important
 * round-trip times with six trials each:
 *
 *   npm run experiment -- shapers --repeats 6 --set 'vary.link.rtt=["0ms","2ms","20ms"]' \
 *     --set 'vary.flood.congestionControl=["bbr3"]'
 *
 * Where mahimahi is installed, its shells are a further shaper:
 *
 *   npm run experiment -- shapers --set 'vary.link.backend=["emulator","mahimahi"]' --set 'vary.link.rtt=["20ms","50ms"]'
 */
import { defineExperiment } from '../../../definition/define.ts';

export default defineExperiment({
  title: 'One link by three shapers, over base round-trip times',
  question:
    'From which base round-trip time on does it no longer matter that a shaper lets the first packets after a pause through at once?',
  source: 'own; the link of Juntima et al.',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf', congestionControl: 'bbr3', flows: 1 },

  vary: {
    'link.backend': ['tc', 'tbf', 'emulator'],
    'link.rtt': ['0ms', '1ms', '2ms', '5ms', '10ms', '20ms', '50ms'],
    'flood.congestionControl': ['bbr3', 'bbr', 'cubic'],
  },

  // at 20 ms the bitrate still fell, from 4.5 to 2.6 Mbit/s, during windows of 12 s after 5 s
  run: { window: '20s', startUp: '30s', repeats: 1 },
});
