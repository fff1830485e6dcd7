/**
 * Check 14: the second after ProbeRTT on a path without added delay. There the round trip may be shorter than the
 * spacing of the packets, so that a window of four is idle before each of them, and each is a restart from idle (5.4).
 * Loss makes that likelier, because it lowers the estimate and so spaces the packets out.
 */
import type { Bbr3Event } from '../../../shaper/bbr3/telemetry.ts';
import { queueOf, type Scenario } from './check.ts';
import type { Flow } from './flow.ts';
import { lossy } from './loss.ts';
import { payloadBytes } from './network.ts';

const roomPackets = 20;

/** By the flow's own model. */
const bdpOf = ({ maxBandwidthBps, minRttMs }: Bbr3Event) =>
  ((maxBandwidthBps ?? NaN) * (minRttMs ?? NaN)) / 8000 / payloadBytes;

/** The longest queue in the second after each end of ProbeRTT, and the longest that it may be. */
export function queuesAfterProbeRtt({ model, queue, beginMs }: Flow): { packets: number; mayBe: number }[] {
  return model!.events
    .filter(({ event, to }) => event === 'probe-rtt-done' && to === 'down')
    .map(end => {
      const afterS = ({ timeS }: { timeS: number }) => timeS - (end.timeMs - beginMs) / 1000;
      const readings = queue.filter(reading => afterS(reading) > 0 && afterS(reading) <= 1);
      return {
        packets: Math.max(...readings.map(({ packets }) => packets)),
        mayBe: 2 * bdpOf(end) + roomPackets,
      };
    })
    .filter(({ packets }) => packets >= 0);
}

export const afterProbeRtt: Scenario = {
  name: '40 Mbit/s, no added delay, 2 % random loss',
  link: lossy(0.02, 0),
  traffic: { seconds: 27 },
  checks: [
    {
      id: '14',
      title: 'no added delay: no burst after ProbeRTT',
      judge({ bbr3, bbr }) {
        const ends = queuesAfterProbeRtt(bbr3);
        return {
          measured:
            `${ends.length} ends of ProbeRTT; longest queues in the second after them ` +
            `${ends.map(({ packets }) => packets).join(', ')} packets`,
          beside: `at most ${queueOf(bbr).most} packets after 2 s`,
          wanted:
            `at least 3 ends; at most 2 BDP + ${roomPackets} packets each ` +
            `(${ends.map(({ mayBe }) => Math.floor(mayBe)).join(', ')})`,
          ok: ends.length >= 3 && ends.every(({ packets, mayBe }) => packets <= mayBe),
        };
      },
    },
  ],
};
