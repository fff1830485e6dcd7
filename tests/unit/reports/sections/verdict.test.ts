import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf } from '../../../../harness/experiment/conditions.ts';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/verdict/index.ts';
import { endMs, every, presentedAt, startMs, stats } from '../../harness/support/record.ts';
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
  assert.match(text, /Against Alone, 2 pairs of trials, which cannot tell a change from chance \(that takes 6\), so nothing is claimed\. Differences, with their range: stalled time \+0\.40 s \[0\.30, 0\.50\], frame rate \u2212[\d.]+ fps \[[^\]]*\], bitrate \(the same in every pair\)\./);
  assert.match(text, /^What the viewer saw ?Voided unevenly: Alone 0 of 2 tries, Wired 1 of 2 tries, Lossy 0 of 2 tries\. 1 try was voided and is not in any number here\./);
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
  assert.match(text, /Differences, with their range: frame rate \u22125\.0 fps \[\u22125\.0, \u22125\.0\], bitrate \(the same in every pair\)/);
});

test('below six pairs nothing is claimed, however clear it looks', async () => {
  const text = await said('five', stalled(0, 0, 0, 0, 0), stalled(3000, 3100, 3200, 3300, 3400));
  assert.match(text, /Against Alone, 5 pairs of trials, which cannot tell a change from chance \(that takes 6\), so nothing is claimed\. Differences, with their range: stalled time \+3\.20 s \[3\.00, 3\.40\]/);
  assert.doesNotMatch(text, /more stalled time|fewer pictures/);
});

test('pairs that show nothing are said to show nothing, with what they would have shown', async () => {
  assert.match(await said('enough', stalled(0, 0, 0, 0, 0, 0), stalled(0, 0, 0, 0, 0, 0)), /Against Alone, 6 pairs of trials: no difference beyond chance in stalled time \(the same in every pair\); frame rate \(the same in every pair\); bitrate \(the same in every pair\)\./);
  const mixed = await said('mixed', stalled(400, 500, 600, 700, 800, 900, 400, 500), stalled(500, 410, 690, 620, 910, 830, 430, 490));
  assert.match(mixed, /no difference beyond chance in stalled time [+\u2212\d.]+ s \[\u2212[\d.]+, [\d.]+\], where 0\.\d\d s would have been shown; frame rate [^;]* fps \[[^\]]*\], where [\d.]+ fps would have been shown/);
  assert.doesNotMatch(mixed, /show no difference/);
});

test('a change that the correction for the headline\'s tests does not bear out is no claim, and what it would take is said', async () => {
  const plan = planOf({ conditions: pair, run: { window: '10s', repeats: 6 } });
  const { summary } = await renderRun(folder, 'corrected', plan, [0, 0, 0, 0, 0, 0].flatMap((stallMs, i) => [{ stallMs }, { stallMs: 300 + 20 * i }]));
  const words = async () => (await plugin.render({ plan, summary } as ReportData))!.text;
  assert.match(await words(), /Against Alone: more stalled time \(0\.35 s \[0\.30, 0\.40\]\), fewer pictures \([^)]*\); paired differences, n = 6\. No difference beyond chance in bitrate/);
  const test = summary.comparisons[0]!.tests['stall-time']!;
  test.correctedP = 0.06;
  assert.match(await words(), /Against Alone: fewer pictures \([^)]*\); paired differences, n = 6\. No difference beyond chance in stalled time \+0\.35 s \[0\.30, 0\.40\]; bitrate \(the same in every pair\)\. One change alone among 2 tests takes 7 pairs to be shown, however large it is; here are 6\./);
});

test('a mean does not make motion fluent: long waits do not', async () => {
  const plan = (name: string, made: Made) => renderRun(folder, name, planOf({ service: { id: 'clip', maxBitrate: '4mbit' }, run: { window: '10s' } }), [made]).then(({ summary, plan: of }) => {
    subjectOf(of.conditions[0]!).service.params = { frameRate: 50 };
    return plugin.render({ plan: of, summary } as ReportData);
  }).then(html => html!.text);
  assert.match(await plan('smooth', {}), /the viewer saw fluent motion, 50\.0 fps of 50 on average, 50\.0 fps in the harmonic mean/);
  // a wait of 140 ms every 1.2 s
  const pictures = every(20, startMs - 1000, endMs).filter(time => time < startMs || (time - startMs) % 1200 === 0 || (time - startMs) % 1200 >= 140);
  assert.match(await plan('waits', { series: { 'frames.presented': presentedAt(pictures) } }), /the viewer saw uneven motion, 44\.6 fps of 50 on average, 28\.5 fps in the harmonic mean/);
});

test('tries that were voided alike are told without a warning', async () => {
  const { page } = await renderRun(folder, 'alike', planOf({ conditions: pair, run: { window: '10s' } }), ['void', 'void']);
  assert.match(textOf(page), /2 tries were voided and are not in any number here; the reasons stand under Table 1\./);
  assert.doesNotMatch(textOf(page), /unevenly/);
});
