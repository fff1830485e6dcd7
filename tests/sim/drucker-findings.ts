/**
 * The measurements of Drucker et al. ("Investigating WebRTC BBR as an alternative to GCC for live video streaming") in
 * virtual time: flows over the 24 links of Table I, for every controller that there is, and the paper's findings for GCC
 * and WebRTC-BBR. Its flows last five minutes: here as long as the caller says (drucker.test.ts, in tests/sim and
 * tests/long).
 *
 * What the simulation does not show, and why (drucker-grid.ts): that WebRTC-BBR's bitrate is lower than GCC's on narrow
 * links with deep buffers, by up to 84 % of its own (figure 3), and that it gains 63 % without recovery (figure 6).
 * Here its overestimation costs delay and losses, not bitrate: the frames that come late or incomplete count. The
 * overestimation itself, which the paper holds to be the cause, is there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { loadPlugins } from '../../core/plugins.ts';
import { estimateCorrelation } from '../../core/stats/estimate-correlation.ts';
import { mean } from '../../core/stats/quantile.ts';
import { formatDuration, formatRate, formatRatio, trimmed } from '../../core/text/units.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import {
  clipBps,
  type GridLink,
  gridLinks,
  nameOf,
  type Outcome,
  possibleBps,
  runGridLink,
  startUpMs,
} from './drucker-grid.ts';

const controllers = await loadPlugins<ControllerPlugin>(
  new URL('../../server/congestion/', import.meta.url),
  'controller',
);

/** The longest delay that network planning should allow (ITU-T G.114, 05/2003), ms one way. */
const longestOneWayMs = 400;
/**
 * GCC's first loss rule takes up to 2 % for no congestion, and 10 % for it whatever else is said
 * (server/congestion/gcc/loss-rule.ts).
 */
const mostLostElse = 0.02;
const mostLostWhereIgnored = 0.1;
/** Frames differ in size by up to 20 %, evenly: their mean is within 4 standard deviations. */
const jitterRatio = (frames: number) => (4 * 0.115) / Math.sqrt(frames);

/** The link has half as much again as the clip needs ("overprovisioned", section V-B). */
const isWide = ({ rateBps }: GridLink) => rateBps >= 1.5 * clipBps;
/** A buffer of fewer than four packets loses what one frame brings, whatever the rate. */
const holdsFrames = ({ queueBytes }: GridLink) => queueBytes >= 4 * 1500;

type Finding = {
  what: string;
  value: number;
  /** The value in words, with its unit. */
  shown: (value: number) => string;
  atLeast?: number;
  atMost?: number;
  /** A declaration by which the limit is another one. */
  declared?: string;
};

const times = (value: number) => `${trimmed(value)} times`;

function check({ link }: Outcome, { what, value, shown, atLeast, atMost, declared }: Finding): void {
  // put so that what is no number is within no limit
  const isEnough = atLeast === undefined || value >= atLeast;
  if (isEnough && (atMost === undefined || value <= atMost)) return;
  const limit = isEnough ? atMost! : atLeast;
  // what is rounded to the limit itself would seem to keep to it
  const found = shown(value) === shown(limit) ? `${shown(value)} (${value}, rounded)` : shown(value);
  const allowed = isEnough ? `at most ${shown(limit)} is allowed` : `at least ${shown(limit)} is required`;
  assert.fail(
    `${nameOf(link)}: ${what} ${found}; ${allowed} on this link${declared === undefined ? '' : ` (${declared})`}`,
  );
}

const bbr = 'webrtc-bbr';
const averageBps = (of: readonly Outcome[], field: 'estimateBps' | 'mediaBps') =>
  mean(of.map(outcome => outcome[field]))!;
const isNarrowAndDeep = ({ link }: Outcome) => !isWide(link) && link.buffer === 'deep';

/**
 * Where the paper adds a TCP flow (figures 2 and 7). Its flow is CUBIC, ours of the Reno kind; "100 kb" is taken for
 * kilobytes.
 */
const competition: readonly GridLink[] = [
  { rttMs: 100, rateBps: 5e6, buffer: 'deep', queueBytes: 1e6 },
  { rttMs: 50, rateBps: 500e3, buffer: 'deep', queueBytes: 100e3 },
];

/** Makes the tests, with flows of that length. */
export function testDrucker(durationMs: number): void {
  const outcomes = new Map<string, readonly Outcome[]>();

  /** One run of the whole grid per controller. */
  function grid(id: string): readonly Outcome[] {
    const known = outcomes.get(id);
    if (known !== undefined) return known;
    const all = gridLinks.map(link => runGridLink(controllers.get(id)!, link, { durationMs }));
    outcomes.set(id, all);
    return all;
  }

  for (const [id, plugin] of controllers) {
    test(`${id}: what is found on the 24 links is possible`, () => {
      for (const outcome of grid(id)) {
        const { link, mediaBps, estimateBps, utilisation, highQueueMs, lossRatio } = outcome;
        // What waits in the buffer when the measurement begins may leave within it.
        check(outcome, { what: 'utilisation', value: utilisation, shown: formatRatio, atLeast: 0, atMost: 1.01 });
        const mostMediaBps = clipBps * (1 + jitterRatio(((durationMs - startUpMs) * 30) / 1000));
        check(outcome, { what: 'media', value: mediaBps, shown: formatRate, atLeast: 0, atMost: mostMediaBps });
        check(outcome, { what: 'estimate', value: estimateBps, shown: formatRate, atLeast: 1 });
        check(outcome, {
          what: '95th percentile of the queue',
          value: highQueueMs,
          shown: formatDuration,
          atLeast: 0,
          atMost: (link.queueBytes * 8000) / link.rateBps,
        });
        check(outcome, { what: 'losses', value: lossRatio, shown: formatRatio, atLeast: 0, atMost: 1 });
      }
    });

    if (plugin.ignores?.includes('capacity')) continue;
    const notTested = "a controller that declares ignores: ['capacity'] is not tested for this";
    const ignoresLoss = plugin.ignores?.includes('loss') ?? false;
    const mostLost = ignoresLoss ? mostLostWhereIgnored : mostLostElse;
    test(`${id}: the 24 links are used, without much delay and loss`, () => {
      for (const outcome of grid(id)) {
        const { link, mediaBps, medianQueueMs, lossRatio } = outcome;
        const share = { value: mediaBps / possibleBps(link), shown: formatRatio, declared: notTested };
        check(outcome, {
          ...share,
          what: 'share of what link and clip allow',
          atLeast: link.buffer === 'deep' ? 0.7 : 0.5,
        });
        check(outcome, {
          what: 'median one-way delay',
          value: medianQueueMs + link.rttMs / 2,
          shown: formatDuration,
          atMost: longestOneWayMs,
          declared: notTested,
        });
        if (link.buffer === 'deep' || (isWide(link) && holdsFrames(link)))
          check(outcome, {
            what: 'losses',
            value: lossRatio,
            shown: formatRatio,
            atMost: mostLost,
            declared: ignoresLoss
              ? `as it declares ignores: ['loss']; else ${formatRatio(mostLostElse)}`
              : `${formatRatio(mostLostWhereIgnored)} for a controller that declares ignores: ['loss']`,
          });
        if (isWide(link) && holdsFrames(link))
          check(outcome, { ...share, what: 'share where the link has more than the clip needs', atLeast: 0.95 });
      }
    });
  }

  test('figure 3: where the link has more than the clip needs, GCC and WebRTC-BBR do alike', () => {
    const others = grid('gcc');
    for (const [i, outcome] of grid(bbr).entries()) {
      if (isWide(outcome.link))
        check(outcome, {
          what: "bitrate over GCC's",
          value: outcome.mediaBps / others[i]!.mediaBps,
          shown: times,
          atLeast: 0.95,
          atMost: 1.05,
        });
    }
  });

  test('figure 4a: WebRTC-BBR estimates more than GCC; on narrow links with deep buffers it is above the rate', () => {
    assert.ok(averageBps(grid(bbr), 'estimateBps') > averageBps(grid('gcc'), 'estimateBps'));
    const overRate = ({ estimateBps, link }: Outcome) => estimateBps / link.rateBps;
    for (const outcome of grid(bbr).filter(isNarrowAndDeep))
      check(outcome, {
        what: "WebRTC-BBR's estimate over the rate",
        value: overRate(outcome),
        shown: times,
        atLeast: 1,
      });
    for (const outcome of grid('gcc').filter(isNarrowAndDeep))
      check(outcome, { what: "GCC's estimate over the rate", value: overRate(outcome), shown: times, atMost: 1 });
  });

  test("figure 4b: WebRTC-BBR's lowest round trip is inflated on every link, most where the buffer is deep and the link narrow", () => {
    const inflation = ({ link, minRttMs }: Outcome) => minRttMs! - link.rttMs;
    for (const outcome of grid(bbr))
      check(outcome, {
        what: "lowest round trip above the path's",
        value: inflation(outcome),
        shown: formatDuration,
        atLeast: 0,
      });
    const worst = mean(grid(bbr).filter(isNarrowAndDeep).map(inflation))!;
    const rest = mean(
      grid(bbr)
        .filter(outcome => !isNarrowAndDeep(outcome))
        .map(inflation),
    )!;
    assert.ok(worst > 2 * rest, `${worst} and ${rest} ms`);
  });

  test('what the overestimation does: a queue that stands, where GCC keeps it short', () => {
    const others = grid('gcc');
    for (const [i, outcome] of grid(bbr).entries()) {
      if (isNarrowAndDeep(outcome))
        check(outcome, {
          what: "median queue over GCC's",
          value: outcome.medianQueueMs / others[i]!.medianQueueMs,
          shown: times,
          atLeast: 3,
        });
    }
  });

  test('Table II: the estimate goes with the bitrate for GCC; less so for WebRTC-BBR, and against it where bitrates are low', () => {
    const runs = (id: string) => grid(id).map(({ estimateBps, mediaBps }) => ({ estimateBps, bitrateBps: mediaBps }));
    const [gccCorrelation, bbrCorrelation] = [estimateCorrelation(runs('gcc')), estimateCorrelation(runs(bbr))];
    const found = JSON.stringify({ gcc: gccCorrelation, bbr: bbrCorrelation });
    // The paper: GCC 0.87 and 0.94, WebRTC-BBR -0.24, 0.59 and -0.59.
    assert.ok(gccCorrelation.all! > 0.8 && gccCorrelation.good! > 0.8, found);
    assert.ok(bbrCorrelation.all! < gccCorrelation.all! && bbrCorrelation.good! < gccCorrelation.good!, found);
    assert.ok(bbrCorrelation.good! > 0 && bbrCorrelation.bad! < 0, found);
  });

  test('figures 2 and 7: beside a TCP flow WebRTC-BBR keeps its bitrate, with recovery and without, where GCC gives way', () => {
    for (const [i, link] of competition.entries()) {
      const besideTcp = (id: string, params: Record<string, unknown> = {}) =>
        runGridLink(controllers.get(id)!, link, { durationMs, besideTcp: true, params });
      /** As the grid has it, where the link is one of its links. */
      const alone = (id: string, params?: Record<string, unknown>) => {
        const known = grid(id).find(outcome => isDeepStrictEqual(outcome.link, link));
        return params === undefined && known !== undefined
          ? known
          : runGridLink(controllers.get(id)!, link, { durationMs, params: params ?? {} });
      };
      const gccShare = besideTcp('gcc').mediaBps / alone('gcc').mediaBps;
      for (const params of [undefined, { recovery: 'off' }]) {
        const outcome = besideTcp(bbr, params);
        const share = outcome.mediaBps / alone(bbr, params).mediaBps;
        check(outcome, {
          what: "share of what it had alone, over GCC's",
          value: share / gccShare,
          shown: times,
          atLeast: i === 0 ? 1.1 : 3,
        });
        // On the wide link the paper's lost 21 %.
        if (i === 0)
          check(outcome, { what: 'share of what it had alone', value: share, shown: formatRatio, atLeast: 0.79 });
        assert.ok(outcome.tcpBps! > 0.3 * link.rateBps, `the flow beside it: ${outcome.tcpBps}`);
      }
    }
  });
}
