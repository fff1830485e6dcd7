/** A fixed rate over simulated links: what a stream is like that does not react. */
import { plugin } from '../../server/congestion/fixed/index.ts';
import { scenarios } from './scenario.ts';

const s = 1000;
const frameMs = 1000 / 30;
const scenario = scenarios(plugin);
const params = { rate: '1500kbit' };
const rateBps = 1.5e6;

for (const linkBps of [2e6, 5e6]) {
  scenario(
    `fixed: 1.5 Mbit/s on an idle link of ${linkBps / 1e6} Mbit/s`,
    { durationMs: 60 * s, link: linkBps, params },
    [
      { what: 'rate', value: r => r.arrivedBps(5 * s, 60 * s), atLeast: 0.98 * rateBps, atMost: 1.02 * rateBps },
      {
        what: 'share of packets lost',
        value: r => r.packets.filter(({ arrivedMs }) => arrivedMs === undefined).length / r.packets.length,
        atMost: 0,
      },
      {
        what: 'longest queue, ms: a frame, larger by 20 % at most',
        value: r => r.queueMs(100, 0, 60 * s),
        atMost: 1.2 * frameMs,
      },
    ],
  );
}

scenario(
  'fixed: 1.5 Mbit/s on 1 Mbit/s: the queue of 300 ms is full and a third is lost',
  { durationMs: 60 * s, link: 1e6, params },
  [
    { what: 'utilisation', value: r => r.utilisation(5 * s, 60 * s), atLeast: 0.98 },
    { what: 'median of the queue, ms', value: r => r.queueMs(50, 5 * s, 60 * s), atLeast: 250 },
    {
      what: 'share of packets lost',
      value: r => r.packets.filter(({ arrivedMs }) => arrivedMs === undefined).length / r.packets.length,
      atLeast: 0.28,
      atMost: 0.38,
    },
  ],
);

scenario(
  'fixed: the rate steps from 3 to 1 Mbit/s and back, and dies: the target stays',
  {
    durationMs: 120 * s,
    params,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 30 * s, rateBps: 1e6 },
      { atMs: 60 * s, rateBps: 0 },
      { atMs: 90 * s, rateBps: 3e6, lossRatio: 0.02 },
    ],
  },
  [
    { what: 'lowest target', value: r => r.lowestTarget(0, 120 * s), atLeast: rateBps },
    { what: 'highest target', value: r => r.highestTarget(0, 120 * s), atMost: rateBps },
    {
      what: 'rate in the end, less 2 %',
      value: r => r.arrivedBps(100 * s, 120 * s),
      atLeast: 0.95 * rateBps,
      atMost: 0.99 * 1.02 * rateBps,
    },
  ],
);

scenario(
  'fixed: beside a TCP flow it keeps its rate, less what the full queue drops',
  { durationMs: 120 * s, link: 4e6, params, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] },
  [
    { what: 'rate', value: r => r.arrivedBps(40 * s, 120 * s), atLeast: 0.9 * rateBps, atMost: 1.02 * rateBps },
    {
      what: 'rate of the flow: what is left, with a gap after each halving',
      value: r => (r.tcpBytes[0]! * 8) / 90,
      atLeast: 0.75 * (4e6 - rateBps),
      atMost: 1.02 * (4e6 - rateBps),
    },
  ],
);
