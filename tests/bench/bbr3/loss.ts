/** Checks 2, 3 and the rest of 5: shallow buffers and random loss. */
import { mbit, percent, type Scenario } from './check.ts';
import { benchLink, ceilingBps } from './network.ts';

const shallow = benchLink(40e6, 40, 26); // a fifth of the BDP

export const shallowBuffer: Scenario = {
  name: '40 Mbit/s, 40 ms, 26 packets (0.2 BDP)',
  link: shallow,
  traffic: { seconds: 25 },
  checks: [
    {
      id: '2',
      title: 'shallow buffer: few retransmissions',
      judge: ({ bbr3, bbr }) => ({
        measured: `${percent(bbr3.retransmittedRatio, 2)} again, ${percent(bbr3.goodputBps / ceilingBps(shallow))} of the ceiling`,
        beside: `${percent(bbr.retransmittedRatio, 2)} again, ${percent(bbr.goodputBps / ceilingBps(shallow))}`,
        wanted: "under 1.2 % and half of v1's; over 93 % of the ceiling",
        ok:
          bbr3.retransmittedRatio < 0.012 &&
          bbr3.retransmittedRatio < 0.5 * bbr.retransmittedRatio &&
          bbr3.goodputBps > 0.93 * ceilingBps(shallow),
      }),
    },
    {
      id: '5b',
      title: 'after loss over 2 % the next probe is a precaution',
      judge({ bbr3 }) {
        const changes = bbr3.model!.events.filter(({ from, to, event }) => from !== to || event === 'too-high');
        const probes = changes.filter(({ from, to }) => from === 'up' && to === 'down');
        const after = probes.flatMap((probe, i) =>
          probe.event === 'too-high' && probes[i + 1] !== undefined ? [probes[i + 1]!] : [],
        );
        const upS = after.map(
          probe => probe.timeS - changes.findLast(change => change.to === 'up' && change.timeS <= probe.timeS)!.timeS,
        );
        const cautious = after.filter(probe => probe.event === 'precaution').length;
        return {
          measured: `${cautious} of ${after.length} probes after such a loss; longest ${Math.round(Math.max(...upS) * 1000)} ms`,
          beside: 'has no such thing',
          wanted: 'all of them (a second loss in flight excepted), within 1.5 RTT',
          ok:
            after.length >= 2 &&
            cautious >= after.length - 1 &&
            Math.max(...upS.filter((_, i) => after[i]!.event === 'precaution')) <= 0.06,
        };
      },
    },
  ],
};

export const lossy = (ratio: number, rttMs = 40) => ({
  ...benchLink(40e6, rttMs, 1000),
  loss: { kind: 'independent' as const, ratio, where: 'before' as const },
});

export const onePercent: Scenario = {
  name: '1 % random loss',
  link: lossy(0.01),
  traffic: { seconds: 25 },
  others: ['cubic'],
  checks: [
    {
      id: '3a',
      title: '1 % of loss is borne',
      judge: ({ bbr3, bbr, cubic }) => ({
        measured: `${mbit(bbr3.goodputBps)}, ${percent(bbr3.goodputBps / ceilingBps(bbr3.link))}`,
        beside: `${mbit(bbr.goodputBps)}; CUBIC ${mbit(cubic!.goodputBps)}`,
        wanted: 'over 70 % of the ceiling and 5 times CUBIC',
        ok: bbr3.goodputBps > 0.7 * ceilingBps(bbr3.link) && bbr3.goodputBps > 5 * cubic!.goodputBps,
      }),
    },
  ],
};

export const fivePercent: Scenario = {
  name: '5 % random loss',
  link: lossy(0.05),
  traffic: { seconds: 25 },
  checks: [
    {
      id: '3b',
      title: '5 % is over the ceiling of 2 %',
      judge: ({ bbr3, bbr }) => ({
        measured: mbit(bbr3.goodputBps),
        beside: mbit(bbr.goodputBps),
        wanted: 'under half of v1',
        ok: bbr3.goodputBps < 0.5 * bbr.goodputBps,
      }),
    },
  ],
};
