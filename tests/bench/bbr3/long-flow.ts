/** Checks 1, 4, 5, 6 and 13: a long flow behind a deep buffer. */
import { median } from '../../../core/stats/quantile.ts';
import type { Bbr3Event } from '../../../shaper/bbr3/telemetry.ts';
import { type Check, mbit, percent, queueOf, type Scenario } from './check.ts';
import type { Flow } from './flow.ts';
import { bdpPackets, benchLink, ceilingBps } from './network.ts';

type TimedEvent = Bbr3Event & { timeS: number };

/** Episodes in which a window that `ss` shows is at or under some packets. */
export function dipsOf({ windows }: Flow, atMostPackets: number, fromS: number): { timeS: number; packets: number }[] {
  const dips: { timeS: number; packets: number }[] = [];
  let inside = false;
  for (const { timeS, packets } of windows.filter(window => window.timeS > fromS)) {
    if (packets > atMostPackets) inside = false;
    else if (inside) dips.at(-1)!.packets = Math.min(dips.at(-1)!.packets, packets);
    else {
      dips.push({ timeS, packets });
      inside = true;
    }
  }
  return dips;
}

const spaces = (times: number[]) => times.slice(1).map((time, i) => time - times[i]!);

/**
 * 1. Every 5 s down to half the BDP; v1 every 10 s down to 4 packets. A lower RTT sample between puts it off, so the
 * shortest spacing is the rule.
 */
const probeRtt: Check = {
  id: '1',
  title: 'ProbeRTT every 5 s, at half the BDP',
  judge({ bbr3, bbr }) {
    const bdp = bdpPackets(bbr3.link);
    const dips = bbr3.model!.events.filter(event => event.event === 'probe-rtt-low');
    const spacings = spaces(dips.map(dip => dip.timeS));
    const [least, floor] = [Math.min(...spacings), median(dips.map(dip => dip.inFlightPackets / bdp)) ?? NaN];
    const deep = dipsOf(bbr, 8, 2);
    return {
      measured: `${dips.length} dips, ${spacings.map(s => s.toFixed(1)).join('/')} s apart, to ${floor.toFixed(2)} BDP`,
      beside: `${deep.length} dips${deep.length > 0 ? ` to ${Math.min(...deep.map(dip => dip.packets))} packets` : ''}`,
      wanted: '3 to 5 dips, the closest 5.0 to 5.8 s apart, to 0.4 to 0.6 BDP; v1 at most 3, to 4',
      ok:
        dips.length >= 3 &&
        dips.length <= 5 &&
        least >= 5 &&
        least <= 5.8 &&
        floor >= 0.4 &&
        floor <= 0.6 &&
        deep.length <= 3 &&
        deep.every(dip => dip.packets <= 8),
    };
  },
};

const deepBuffer: Check = {
  id: '4',
  title: 'deep buffer: small queue, no loss',
  judge({ bbr3, bbr }) {
    const bdp = bdpPackets(bbr3.link);
    const [own, other] = [queueOf(bbr3), queueOf(bbr)];
    const share = bbr3.goodputBps / ceilingBps(bbr3.link);
    const say = (flow: Flow, queue: { median: number; most: number }) =>
      `${percent(flow.goodputBps / ceilingBps(flow.link))}; ` +
      `queue ${(queue.median / bdp).toFixed(2)}, at most ${(queue.most / bdp).toFixed(2)} BDP`;
    return {
      measured: `${say(bbr3, own)}; ${bbr3.droppedPackets} dropped, ${percent(bbr3.retransmittedRatio, 3)} sent again`,
      beside: `${say(bbr, other)}; ${percent(bbr.retransmittedRatio, 3)}`,
      wanted: 'over 95 % of the ceiling, queue median under 1.2 BDP, at most 2.5; none dropped, under 0.1 % sent again',
      ok:
        share > 0.95 &&
        own.median < 1.2 * bdp &&
        own.most < 2.5 * bdp &&
        bbr3.droppedPackets === 0 &&
        bbr3.retransmittedRatio < 0.001,
    };
  },
};

/** The changes of state as "startup>drain". */
const changesOf = (events: readonly TimedEvent[]) => events.filter(({ from, to }) => from !== to);

const order: Record<string, string[]> = {
  startup: ['drain', 'probe-rtt'],
  drain: ['down', 'probe-rtt'],
  down: ['cruise', 'refill', 'probe-rtt'],
  cruise: ['refill', 'probe-rtt'],
  refill: ['up', 'probe-rtt', 'down'],
  up: ['down', 'probe-rtt'],
  'probe-rtt': ['down', 'startup'],
};

const transitions: Check = {
  id: '5',
  title: 'the cycle: order, REFILL one round, UP three, probe within 3 s',
  judge({ bbr3 }) {
    const changes = changesOf(bbr3.model!.events);
    const wrong = changes.filter(({ from, to }) => !order[from]!.includes(to));
    // those that end by themselves: ProbeRTT may cut any short
    const lengths = (from: string, event: string) =>
      changes.flatMap((change, i) =>
        change.from === from && change.event === event ? [change.rounds - changes[i - 1]!.rounds] : [],
      );
    const refills = lengths('refill', 'refilled');
    const ups = lengths('up', 'plateau');
    // from the start of the wait, which is DOWN, to REFILL
    let down: TimedEvent | undefined;
    const waits: { s: number; rounds: number }[] = [];
    for (const change of changes) {
      if (change.to === 'down') down = change;
      if (change.to === 'refill' && down !== undefined)
        waits.push({ s: change.timeS - down.timeS, rounds: change.rounds - down.rounds });
    }
    const [longest, rounds] = [Math.max(...waits.map(wait => wait.s)), Math.max(...waits.map(wait => wait.rounds))];
    return {
      measured:
        `${changes.length} changes, ${wrong.length} out of order; REFILL ${[...new Set(refills)].join(',')} rounds, ` +
        `UP ${[...new Set(ups)].join(',')}; waits to ${longest.toFixed(2)} s, ${rounds} rounds`,
      beside: 'has no such states',
      wanted: 'none out of order; REFILL 1, UP 3 or 4 rounds; at most 3.1 s and 64 rounds',
      ok:
        changes.length >= 10 &&
        wrong.length === 0 &&
        refills.length > 0 &&
        refills.every(n => n === 1) &&
        ups.length > 0 &&
        ups.every(n => n >= 3 && n <= 4) &&
        longest <= 3.1 &&
        rounds <= 64,
    };
  },
};

/**
 * Pacing rate over estimated bandwidth when the state was entered shows the gain of the state before; so it is read at
 * its end.
 */
function gainOf(events: readonly TimedEvent[], state: string): number | undefined {
  return median(
    changesOf(events).flatMap(({ from, pacingBps, maxBandwidthBps, shortTermBandwidthBps }) =>
      from === state && maxBandwidthBps !== null && maxBandwidthBps > 0
        ? [pacingBps! / Math.min(maxBandwidthBps, shortTermBandwidthBps ?? Infinity)]
        : [],
    ),
  );
}

const gains: Check = {
  id: '6',
  title: 'gains seen in pacing rate / bandwidth',
  judge({ bbr3 }) {
    const wanted = { startup: 2.74, drain: 0.495, down: 0.891, cruise: 0.99, up: 1.2375 };
    const seen = Object.entries(wanted).map(([state, gain]) => ({
      state,
      gain,
      found: gainOf(bbr3.model!.events, state),
    }));
    return {
      measured: seen.map(({ state, found }) => `${state} ${found?.toFixed(3) ?? 'none'}`).join(', '),
      beside: 'v1: 2.885, 0.347, 1.25/0.75/1',
      wanted: `${Object.values(wanted).join(', ')}, each within 3 %`,
      ok: seen.every(({ gain, found }) => found !== undefined && Math.abs(found / gain - 1) < 0.03),
    };
  },
};

/**
 * The truth about every packet is compared in the unit level (tests/bbr3, "the ring against the truth"); here it is how
 * many were found.
 */
const accuracy: Check = {
  id: '13',
  title: 'packets found again in the in-flight ring',
  judge({ bbr3 }) {
    const { ringHits, ringMisses, maxBandwidthBps } = bbr3.model!.last;
    const found = ringHits / (ringHits + ringMisses);
    return {
      measured: `${percent(found, 2)} of ${ringHits + ringMisses}; bandwidth ${mbit(maxBandwidthBps!)}`,
      beside: 'not applicable',
      wanted: 'over 95 %; bandwidth within 3 % of the ceiling',
      ok: found > 0.95 && Math.abs(maxBandwidthBps! / ceilingBps(bbr3.link) - 1) < 0.03,
    };
  },
};

export const longFlow: Scenario = {
  name: '40 Mbit/s, 40 ms, 1000 packets',
  link: benchLink(40e6, 40, 1000),
  traffic: { seconds: 27 },
  checks: [probeRtt, deepBuffer, transitions, gains, accuracy],
};
