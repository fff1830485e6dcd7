/** Checks 7 to 10: a rate that changes, an application that pauses, a tiny BDP, reordering. */
import { type Check, mbit, percent, type Scenario } from './check.ts';
import type { Flow } from './flow.ts';
import { benchLink, ceilingBps } from './network.ts';

const stepped = {
  ...benchLink(40e6, 40, 1000),
  schedule: [
    { atMs: 12_000, rateBps: 10e6, rampMs: 0 },
    { atMs: 31_000, rateBps: 40e6, rampMs: 0 },
  ],
};

/**
 * Bandwidth estimates with their times: those of events, which come several times a cycle. A probe that ProbeRTT
 * cuts short does not count as a cycle (AdvanceMaxBwFilter(), 5.3.3.9), which can put the decrease off by one.
 */
const estimates = ({ model }: Flow) =>
  model!.events.map(({ timeS, maxBandwidthBps }) => ({ timeS, bps: maxBandwidthBps ?? 0 }));

const step: Check = {
  id: '7',
  title: '40 > 10 > 40 Mbit/s',
  judge({ bbr3, bbr }) {
    const [low, high] = [ceilingBps({ rateBps: 10e6 }), ceilingBps({ rateBps: 40e6 })];
    const seen = estimates(bbr3);
    const down = seen.find(({ timeS, bps }) => timeS > 12 && bps < 1.15 * low)?.timeS ?? NaN;
    const up = seen.find(({ timeS, bps }) => timeS > 31 && bps > 0.9 * high)?.timeS ?? NaN;
    const cycles = bbr3.model!.events.filter(
      ({ timeS, from, to, event }) =>
        from === 'up' && to === 'down' && event !== 'precaution' && timeS > 12 && timeS <= down,
    ).length;
    const probes = bbr3.model!.events.filter(
      ({ timeS, from, to }) => from === 'up' && to === 'down' && timeS > 31 && timeS <= up,
    ).length;
    return {
      measured:
        `down after ${(down - 12).toFixed(1)} s and ${cycles} probes; up after ${(up - 31).toFixed(1)} s and ` +
        `${probes} probes; ${mbit(bbr3.goodputBps)}`,
      beside: mbit(bbr.goodputBps),
      wanted: 'down within 3 probes (2 cycles and the one that was on), up within 2',
      ok: cycles <= 3 && down - 12 <= 16 && probes <= 2 && up - 31 <= 7,
    };
  },
};

export const rateSteps: Scenario = {
  name: '40 to 10 to 40 Mbit/s',
  link: stepped,
  traffic: { seconds: 40 },
  checks: [step],
};

const idleS = 6;

export const idleRestart: Scenario = {
  name: 'an application that pauses',
  link: benchLink(40e6, 40, 1000),
  traffic: {
    steps: [
      [4, -1],
      [idleS, 0],
      [3, -1],
    ],
  },
  checks: [
    {
      id: '8a',
      title: 'restart after 6 s of silence without ProbeRTT, paced at bw',
      judge({ bbr3 }) {
        const { events } = bbr3.model!;
        const restart = events.find(({ event, timeS }) => event === 'restart' && timeS > 4);
        const due = events.filter(
          ({ event, timeS }) =>
            event === 'probe-rtt-due' && restart !== undefined && timeS >= restart.timeS && timeS < restart.timeS + 2,
        ).length;
        const since = restart === undefined ? NaN : restart.timeS;
        return {
          measured:
            restart === undefined
              ? 'no restart was seen'
              : `restart at ${since.toFixed(1)} s in ${restart.to}; ${due} ProbeRTT in the 2 s after it; ` +
                `estimate ${mbit(restart.maxBandwidthBps!)}`,
          beside: 'not looked at',
          wanted: 'a restart in ProbeBW, no ProbeRTT, the estimate kept',
          ok:
            restart !== undefined &&
            ['down', 'cruise', 'refill', 'up'].includes(restart.to) &&
            due === 0 &&
            restart.maxBandwidthBps! > 0.9 * ceilingBps(bbr3.link),
        };
      },
    },
  ],
};

export const appLimited: Scenario = {
  name: 'an application that sends 5 Mbit/s',
  link: benchLink(40e6, 40, 1000),
  traffic: { steps: [[12, 5e6]] },
  checks: [
    {
      id: '8b',
      title: 'application-limited: stays in Startup',
      judge({ bbr3 }) {
        const states = [...new Set(bbr3.model!.events.map(event => event.to))];
        return {
          measured: `states ${states.join(', ')}; ${mbit(bbr3.goodputBps)}`,
          beside: 'not looked at',
          wanted: 'Startup (and ProbeRTT) only',
          ok: states.every(state => state === 'startup' || state === 'probe-rtt'),
        };
      },
    },
  ],
};

const tiny = benchLink(500e3, 2, 100);

export const subPacket: Scenario = {
  name: '500 kbit/s, 2 ms',
  link: tiny,
  traffic: { seconds: 25 },
  checks: [
    {
      id: '9',
      title: 'a BDP of a tenth of a packet',
      judge({ bbr3, bbr }) {
        const least = Math.min(...bbr3.windows.map(({ packets }) => packets));
        return {
          measured: `window at least ${least}; ${percent(bbr3.goodputBps / ceilingBps(tiny))}`,
          beside: `${Math.min(...bbr.windows.map(({ packets }) => packets))}; ${percent(bbr.goodputBps / ceilingBps(tiny))}`,
          wanted: 'never under 4 packets; over 90 % of the ceiling',
          ok: least >= 4 && bbr3.goodputBps > 0.9 * ceilingBps(tiny),
        };
      },
    },
  ],
};

const reordering = (() => {
  const link = benchLink(40e6, 40, 1000);
  return {
    ...link,
    paths: { ...link.paths, other: { ...link.paths.other!, reorder: { ratio: 0.002, delayMs: 30 } } },
  };
})();

export const spurious: Scenario = {
  name: '0.2 % of packets late by 30 ms',
  link: reordering,
  traffic: { seconds: 20 },
  checks: [
    {
      id: '10',
      title: 'spurious recoveries are undone',
      judge({ bbr3, bbr }) {
        const count = (name: string) => bbr3.model!.events.filter(({ event }) => event === name).length;
        const [undone, recoveries] = [count('undone'), count('recovery')];
        return {
          measured: `${undone} of ${recoveries} recoveries undone; ${percent(bbr3.goodputBps / ceilingBps(bbr3.link))}`,
          beside: percent(bbr.goodputBps / ceilingBps(bbr.link)),
          wanted: 'at least one, over 90 % of the ceiling',
          ok: undone >= 1 && bbr3.goodputBps > 0.9 * ceilingBps(bbr3.link),
        };
      },
    },
  ],
};
