import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatEstimate } from '../../../../../harness/studies/estimate-words.ts';
import { estimateMs, lengthWords, ProgressPrinter } from '../../../../../harness/studies/experiment/progress.ts';
import { overheadMs } from '../../../../../harness/studies/planner/durations.ts';
import type { LiveTrial } from '../../../../../harness/trial/live-trial.ts';
import { planOf } from '../../support/plan.ts';
import { fileOf, voided } from '../../support/run-folder.ts';

const plan = planOf({ run: { window: '30s', startUp: '3s', floodLead: '1s', repeats: 2 } });

const live = {
  framesPerSecond: 59.7,
  goodputBps: 1.5e6,
  othersBps: 33.2e6,
  subjectWireBps: null,
  otherWireBps: null,
  bitsPerPixel: null,
  rttMs: 84.27,
  stalls: { count: 2, totalMs: 620 },
  interruptions: null,
  sinceLastMs: 12,
  longestGapMs: 17,
};

function printed(isTTY: boolean, act: (printer: ProgressPrinter) => void, columns?: number, of = plan): string {
  let text = '';
  act(
    new ProgressPrinter(of, {
      isTTY,
      columns,
      write: (part: string) => {
        text += part;
      },
    } as never),
  );
  return text;
}

test('an estimate is window, start-up, lead and overhead of each trial', () => {
  assert.equal(estimateMs(plan, 2), 2 * (30_000 + 3000 + 1000 + overheadMs));
  assert.ok(estimateMs(plan, 2, { atStart: true }) > estimateMs(plan, 2)); // includes the decoding of the clip
});

test('each direction of a link is proved, and a slow one takes longer', () => {
  const atStart = (link: object) => estimateMs(planOf({ link: { ...both, ...link } }), 1, { atStart: true });
  const both = { rate: '40mbit', queue: { limit: '100packets' } };
  const [one, two, slow] = [
    atStart({}),
    atStart({ up: { ...both } }),
    atStart({ up: { ...both, rate: '64kbit' } }),
  ] as const;
  assert.ok(two - one > 8000 && two - one < 12_000, String(two - one));
  assert.ok(slow - two > 20_000, String(slow - two));
});

test('before the first trial it is told how long it may take if trials are void', () => {
  const eight = planOf({ run: { window: '20s', repeats: 8, preflight: false } });
  assert.equal(
    lengthWords(eight, 8),
    '8 trials, about 3 min 30 s; up to 5 further tries if trials are void, at most about 5 min 40 s',
  );
  assert.match(lengthWords(eight, 2, 8), /^2 of 8 trials to run, about 60 s; up to 3 further tries /);
  const once = planOf({ run: { window: '20s', repeats: 8, retries: 0, preflight: false } });
  assert.equal(lengthWords(once, 8), '8 trials, about 3 min 30 s');
});

test('the first trial tells the same estimate as the start, and what is over no longer counts', () => {
  const twoLinks = planOf({
    run: { window: '5s', repeats: 1 },
    conditions: { plain: {}, lossy: { link: { loss: '1%' } } },
  });
  const [first, second] = twoLinks.trials as [(typeof twoLinks.trials)[0], (typeof twoLinks.trials)[0]];
  const told = printed(
    false,
    printer => {
      printer.onTrialStart({ trial: first, condition: twoLinks.conditions[0]! }, 1, 2);
      printer.onLive({ trial: first }, { ...live, elapsedMs: 1000 });
      printer.onTrialStart({ trial: second, condition: twoLinks.conditions[1]! }, 1, 1);
      printer.onLive({ trial: second }, { ...live, elapsedMs: 1000 });
      printer.onTrialStart({ trial: second, condition: twoLinks.conditions[1]! }, 2, 1);
    },
    undefined,
    twoLinks,
  );
  assert.deepEqual(
    [...told.matchAll(/about (.*?) left/g)].map(([, estimate]) => estimate),
    [
      estimateMs(twoLinks, 2, { atStart: true }),
      estimateMs(twoLinks, 1, { links: [twoLinks.conditions[1]!.link] }), // the other link has not been tested yet
      estimateMs(twoLinks, 1),
    ].map(formatEstimate),
  );
});

test('where nobody looks, plain lines, and live values every ten seconds only', () => {
  const text = printed(false, printer => {
    printer.onTrialStart({ trial: plan.trials[0]!, condition: plan.conditions[0]! }, 1, 2);
    for (let elapsedMs = 0; elapsedMs <= 30_000; elapsedMs += 1000)
      printer.onLive({ trial: plan.trials[0]! }, { ...live, elapsedMs });
    printer.onTrialEnd(fileOf(plan, 1), false);
  });
  assert.equal(
    text,
    [
      '[1/2]  All trials, repeat 1  (about 1 min 30 s left)',
      '[1/2]  10 of 30 s, 59.7 fps, 1.5 Mbit/s beside 33.2 Mbit/s, RTT 84.3 ms, 2 stalls (620 ms), about 60 s left',
      '[1/2]  20 of 30 s, 59.7 fps, 1.5 Mbit/s beside 33.2 Mbit/s, RTT 84.3 ms, 2 stalls (620 ms), about 50 s left',
      '[1/2]  30 of 30 s, 59.7 fps, 1.5 Mbit/s beside 33.2 Mbit/s, RTT 84.3 ms, 2 stalls (620 ms), about 40 s left',
      '[1/2]  valid',
      '',
    ].join('\n'),
  );
});

test('a voided try tells why, and whether it is run again', () => {
  const text = printed(false, printer => {
    printer.onTrialEnd(fileOf(plan, 1, { verdict: voided }), true);
    printer.onTrialStart({ trial: plan.trials[0]!, condition: plan.conditions[0]! }, 2, 2);
    printer.onTrialEnd(
      fileOf(plan, 1, { verdict: { status: 'degraded', findings: [{ ...voided.findings[0]!, status: 'degraded' }] } }),
      false,
    );
  });
  assert.match(
    text,
    /^\[1\/2\] {2}VOID: the machine was 99 % busy; it is run again\n\[1\/2\] {2}All trials, repeat 1, try 2 .*\n\[1\/2\] {2}valid, disturbed: the machine was 99 % busy\n$/,
  );
});

test('on a terminal one line changes', () => {
  const text = printed(true, printer =>
    printer.onLive(
      { trial: plan.trials[1]! },
      { ...live, elapsedMs: 15_000, othersBps: null, rttMs: null, stalls: { count: 0, totalMs: 0 } },
    ),
  );
  assert.equal(
    text,
    '\r\x1b[K[2/2]  [######------] 15 of 30 s  59.7 fps, 1.5 Mbit/s, no RTT, no stall, about 20 s left',
  );
});

test('a voice is told, also without frames', () => {
  const line = (change: Partial<LiveTrial>) =>
    printed(false, printer => printer.onLive({ trial: plan.trials[0]! }, { ...live, ...change, elapsedMs: 10_000 }));
  assert.match(line({ interruptions: { count: 0, totalMs: 0 } }), / 2 stalls \(620 ms\), voice whole, about/);
  assert.match(
    line({ framesPerSecond: null, interruptions: { count: 3, totalMs: 1200 } }),
    /RTT 84\.3 ms, voice broke off 3 times \(1\.2 s\), about/,
  );
});

test('and never becomes two', () => {
  const text = printed(true, printer => printer.onLive({ trial: plan.trials[1]! }, { ...live, elapsedMs: 15_000 }), 40);
  assert.equal(text, '\r\x1b[K[2/2]  [######------] 15 of 30 s  59.7 ');
});

test('an estimate is said roughly', () => {
  const said = {
    1000: '5 s',
    42_500: '45 s',
    59_000: '60 s',
    60_000: '1 min',
    137_000: '2 min 15 s',
    718_000: '12 min',
    3_600_000: '1 h',
    11_100_000: '3 h 5 min',
  };
  for (const [ms, text] of Object.entries(said)) assert.equal(formatEstimate(Number(ms)), text);
});
