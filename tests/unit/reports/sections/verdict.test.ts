import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/verdict/index.ts';
import { endMs, every, startMs, stats } from '../../harness/support/record.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { conditions, fullRun, parsePage, renderRun } from '../support/run.ts';
import type { Made } from '../support/run.ts';

const folder = temporaryFolder();
const pair = { alone: conditions.alone, wired: conditions.wired };

const textOf = (page: string) => parsePage(page).querySelector('#verdict')!.textContent.replace(/\s+/g, ' ');

/** What is said of two conditions whose trials are made so, repeat by repeat. */
async function said(name: string, alone: readonly Made[], wired: readonly Made[]): Promise<string> {
  const plan = planOf({ conditions: pair, run: { window: '10s', repeats: alone.length } });
  return textOf((await renderRun(folder, name, plan, alone.flatMap((made, i) => [made, wired[i]!]))).page);
}

const stalled = (...lengthsMs: number[]): Made[] => lengthsMs.map(stallMs => ({ stallMs }));

test('stalls that every trial had are counted over all of them, with the median of one', async () => {
  // stalls of 300 and 500 ms alone; 600 and 1000 ms with loss; one trial beside the flood
  const text = textOf((await fullRun(folder)).page);
  assert.match(text, /Alone \(no flood, n = 2\): the viewer saw 48\.1 fps \[47\.6, 48\.6\]; the picture stood still in 2 of 2 trials: 2 stalls of 0\.80 s in all, the longest time without a new one 500\.0 ms \(median of a trial: 1 \[1, 1\] stall of 0\.40 s \[0\.30, 0\.50\]\)/);
  assert.match(text, /Wired \(2 \u00d7 BBRv1, n = 1\): the viewer saw 47\.8 fps; the picture stood still: 1 stall of 0\.45 s in all, the longest time without a new one 450\.0 ms\. The stream had 1\.00 Mbit\/s, and the mean round trip was 20\.0 ms\. Against Alone there is one pair of trials: no interval/);
  // 0.6 - 0.3 s and 1.0 - 0.5 s
  assert.match(text, /Against Alone: more stalled time \(0\.40 s \[0\.30, 0\.50\]\), fewer pictures \([^)]*\); paired differences, n = 2, too few for a 95 % interval: brackets are their range/);
  assert.match(text, /1 try was voided and is not in any number here/);
});

test('stalls that only some trials had are counted and measured, though the median trial has none', async () => {
  const text = await said('some', stalled(0, 0, 0), stalled(0, 3000, 0));
  assert.match(text, /Wired [^:]*: the viewer saw [^;]*; the picture stood still in 1 of 3 trials: 1 stall of 3\.00 s in all, the longest time without a new one 3000 ms \(median of a trial: 0 \[0, 1\] stalls of 0\.00 s \[0\.00, 3\.00\]\)/);
  assert.match(text, /Alone [^:]*: [^;]*; the picture never stood still for more than 200 ms in any of 3 trials \(longest time without a new one 20\.0 ms\)/);
});

test('one trial has no interval', async () => {
  const text = await said('single', stalled(0), stalled(450));
  assert.match(text, /Alone [^:]*: the viewer saw 50\.0 fps; the picture never stood still for more than 200 ms \(longest time without a new one 20\.0 ms\)/);
  assert.doesNotMatch(text, /\[/);
});

test('what was presented is what the viewer saw; what was decoded is said where nothing else is known', async () => {
  const series = (rate: number) => ({ stats: every(1000, startMs, endMs).map(time => stats(time, { framesDecoded: rate * (time - startMs) / 1000, bytesReceived: 125 * (time - startMs) })) });
  const trial = (rate: number) => ({ series: series(rate) });
  assert.match(await said('presented', [trial(60)], [trial(55)]), /Alone [^:]*: the viewer saw 50\.0 fps;/);
  const blind = (rate: number) => ({ series: { ...series(rate), 'frames.presented': [] } });
  const text = await said('decoded', [blind(60), blind(60)], [blind(55), blind(55)]);
  assert.match(text, /Alone [^:]*: the viewer saw 60\.0 fps \[60\.0, 60\.0\] decoded; whether the picture stood still is not known/);
  assert.match(text, /Against Alone: fewer pictures \(\u22125\.0 fps \[\u22125\.0, \u22125\.0\]\); paired differences, n = 2/);
});

test('few pairs that show no difference are called few', async () => {
  assert.match(await said('few', stalled(0, 0, 0), stalled(0, 0, 0)), /Against Alone, 3 pairs of trials show no difference in stalls, pictures, bitrate or latency, too few for a 95 % interval\./);
  const text = await said('enough', stalled(0, 0, 0, 0, 0, 0), stalled(0, 0, 0, 0, 0, 0));
  assert.match(text, /Against Alone, 6 pairs of trials show no difference in stalls, pictures, bitrate or latency\./);
});

test('an effect that the correction for all tests does not bear out is said to be so', async () => {
  const plan = planOf({ conditions: pair, run: { window: '10s', repeats: 6 } });
  const { summary } = await renderRun(folder, 'corrected', plan, [0, 0, 0, 0, 0, 0].flatMap((stallMs, i) => [{ stallMs }, { stallMs: 300 + 20 * i }]));
  const words = async () => (await plugin.render({ plan, summary } as ReportData))!.text;
  assert.match(await words(), /Against Alone: more stalled time \(0\.35 s \[0\.30, 0\.40\]\), fewer pictures/);
  summary.comparisons[0]!.tests['stall-time']!.correctedP = 0.06;
  assert.match(await words(), /more stalled time \(0\.35 s \[0\.30, 0\.40\], which can be chance among so many comparisons\), fewer pictures/);
});
