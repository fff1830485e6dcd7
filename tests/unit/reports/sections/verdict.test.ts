import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf } from '../../../../core/vocabulary/subject.ts';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, presented, presentedAt, startMs, stats } from '../../harness/support/record.ts';
import { facts, noTrials } from '../support/facts.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, fullRun, type Made, parsePage } from '../support/run.ts';
import { type ToldVerdict, verdictOf } from '../support/verdict.ts';

const folder = temporaryFolder();
const pair = { alone: conditions.alone, wired: conditions.wired };

/** Verdict on two conditions with these trials, repeat by repeat. */
async function told(alone: readonly Made[], wired: readonly Made[]): Promise<ToldVerdict> {
  const plan = planOf({ conditions: pair, run: { window: '10s', repeats: alone.length } });
  return verdictOf(
    (
      await renderSections(
        [verdictSection],
        plan,
        alone.flatMap((made, i) => [made, wired[i]!]),
      )
    ).page,
  );
}

const stalled = (...lengthsMs: number[]): Made[] => lengthsMs.map(stallMs => ({ stallMs }));
// the plug-in of the flood exists in tests only, so a report does not know its number of flows
const wiredRow = 'Wired 1 \u00d7 BBRv1';
const wiredDifference = 'Wired minus Alone';

test('the first thing in a report is one sentence for each condition; the contents follow the result', async () => {
  const document = parsePage((await fullRun(folder)).page);
  assert.equal(document.querySelector('main')!.firstElementChild!.id, 'verdict');
  assert.equal(document.querySelector('#verdict')!.children[1]!.tagName, 'UL');
  assert.equal(document.querySelector('main')!.children[1]!.tagName, 'NAV');
  // numbers with intervals are in the tables
  for (const item of document.querySelectorAll('#verdict ul.verdict li')) assert.match(item.textContent, /^[^[\]]+\.$/);
});

test('stalls are counted over all trials, with the median of one', async () => {
  // stalls of 300 and 500 ms alone; 600 and 1000 ms with loss; one trial beside the flood
  const { sentences, numbers, differences, text } = verdictOf(
    (
      await renderSections([verdictSection], planOf({ conditions, run: { window: '10s', repeats: 2 } }), [
        { stallMs: 300 },
        { stallMs: 450 },
        { stallMs: 600 },
        { stallMs: 500 },
        'void',
        { stallMs: 1000 },
      ])
    ).page,
  );
  assert.deepEqual(sentences, [
    'Alone (no flood): median 48.1 fps, 2 stalls in 2 of 2 trials, the longest 500 ms.',
    'Wired (1 \u00d7 BBRv1): 47.8 fps, 1 stall of 450 ms; one pair of trials is too few to claim a difference from Alone.',
    'Lossy (1 \u00d7 BBRv1, random loss 2 %): median 46.1 fps, 2 stalls in 2 of 2 trials, the longest 1000 ms; ' +
      '2 pairs of trials are too few to claim a difference from Alone.',
  ]);
  const alone = numbers['Alone no flood']!;
  assert.deepEqual(
    [
      alone['n'],
      alone['Stalls, all trials'],
      alone['Stalls a minute, all trials'],
      alone['Stalled share of the window'],
      alone['Longest gap, all trials'],
      alone['Round-trip time, mean'],
    ],
    ['2', '2 0.80 s in 2 of 2', '6.0', '3.0 and 5.0 %', '500.0 ms', '20.0 and 20.0 ms'],
  );
  // 0.6 - 0.3 s and 1.0 - 0.5 s
  const lossy = differences['Lossy minus Alone']!;
  assert.deepEqual(
    [lossy['Pairs'], lossy['Stalled time'], lossy['Bitrate']],
    ['2', '+0.30 and +0.50 s too few pairs', '0.00 and 0.00 Mbit/s no pair differs'],
  );
  assert.match(
    text,
    /Void tries are not equally frequent: Wired: 1 of 2 tries; none in Alone or Lossy\. 1 try was void and is not in these numbers\./,
  );
});

test('stalls that only some trials had are counted, though the median trial has none', async () => {
  const { sentences, numbers } = await told(stalled(0, 0, 0), stalled(0, 3000, 0));
  assert.equal(sentences[0], 'Alone (no flood): median 50.0 fps, no stall in 3 trials.');
  assert.match(sentences[1]!, /^Wired [^:]*: [^,]*, 1 stall of 3000 ms in 3 trials; /);
  const { 'Stalls, all trials': all, 'Stalled share of the window': median } = numbers[wiredRow]!;
  assert.deepEqual([all, median], ['1 3.00 s in 1 of 3', '0.0 % [0.0, 30.0]']);
});

test('one trial has no interval', async () => {
  const { sentences, text } = await told(stalled(0), stalled(450));
  assert.equal(sentences[0], 'Alone (no flood): 50.0 fps, no stall.');
  assert.doesNotMatch(text, /\[/);
});

test('what was presented is what the viewer saw; what was decoded is said where nothing else is known', async () => {
  const series = (rate: number) => ({
    stats: every(1000, startMs, endMs).map(time =>
      stats(time, { framesDecoded: (rate * (time - startMs)) / 1000, bytesReceived: 125 * (time - startMs) }),
    ),
  });
  const trial = (rate: number) => ({ series: series(rate) });
  assert.match((await told([trial(60)], [trial(55)])).sentences[0]!, /^Alone [^:]*: 50\.0 fps, /);
  const blind = (rate: number) => ({ series: { ...series(rate), 'frames.presented': [] } });
  const { sentences, numbers, differences } = await told([blind(60), blind(60)], [blind(55), blind(55)]);
  assert.equal(sentences[0], 'Alone (no flood): median 60.0 fps decoded.');
  assert.equal(numbers['Alone no flood']!['Frame rate (decoded)'], '60.0 and 60.0 fps');
  assert.equal(numbers['Alone no flood']!['Stalls, all trials'], undefined);
  assert.equal(differences[wiredDifference]!['Frame rate'], '\u22125.0 and \u22125.0 fps too few pairs');
});

test('without any frame the sentence has what arrived', async () => {
  const series = {
    'frames.presented': [],
    stats: every(1000, startMs, endMs).map(time => ({
      ...stats(time, { bytesReceived: 125 * (time - startMs) }),
      framesDecoded: undefined,
    })),
  };
  const { sentences } = await told([{ series }], [{ series }]);
  assert.equal(sentences[0], 'Alone (no flood): goodput 1.00 Mbit/s, mean round-trip time 20.0 ms.');
});

test('below six pairs nothing is claimed, however clear it looks', async () => {
  const { sentences, differences, text } = await told(stalled(0, 0, 0, 0, 0), stalled(3000, 3100, 3200, 3300, 3400));
  assert.match(sentences[1]!, /; 5 pairs of trials are too few to claim a difference from Alone\.$/);
  assert.equal(differences[wiredDifference]!['Stalled time'], '+3.20 s [3.00, 3.40] too few pairs');
  assert.doesNotMatch(text, /more stalled time|lower frame rate|worse|better/);
});

test('pairs that show nothing are said to show nothing, with what they would have shown', async () => {
  const same = await told(stalled(0, 0, 0, 0, 0, 0), stalled(0, 0, 0, 0, 0, 0));
  assert.match(
    same.sentences[1]!,
    /; no stall in Alone either, and no significant difference from it in frame rate or bitrate\.$/,
  );
  assert.match(same.differences[wiredDifference]!['Stalled time']!, /no pair differs$/);
  assert.doesNotMatch(same.text, /their range/);
  const { differences, text } = await told(
    stalled(400, 500, 600, 700, 800, 900, 400, 500),
    stalled(500, 410, 690, 620, 910, 830, 430, 490),
  );
  assert.match(
    differences[wiredDifference]!['Stalled time']!,
    /^[+\u2212\d.]+ s \[\u2212[\d.]+, [\d.]+\] not significant; detectable with 95 % power: 0\.\d\d s$/,
  );
  assert.match(text, /Detectable: a true difference of that size would be significant in 95 of 100 such studies/);
  assert.match(
    differences[wiredDifference]!['Frame rate']!,
    / not significant; detectable with 95 % power: [\d.]+ fps$/,
  );
});

test('the p95 is called so, and stands in a column of its own', async () => {
  // in one second of ten the frames come late: the 95th percentile rises, the median falls
  const aged = (latencyMs: number, lateMs: number): Made => {
    const times = every(20, startMs - 1000, endMs);
    const late = (timeMs: number) => (timeMs > startMs + 8000 && timeMs <= startMs + 9000 ? lateMs : latencyMs);
    return {
      series: {
        'frames.presented': times.map((timeMs, i) => presented(timeMs, i + 1, i)),
        'frames.sent': times.map((timeMs, i) => ({ frame: i, rtpTimestamp: i, captureMs: timeMs - late(timeMs) })),
      },
    };
  };
  const repeats = Array.from({ length: 8 }, (_, i) => i);
  const { sentences, numbers } = await told(
    repeats.map(i => aged(50 + i, 50 + i)),
    repeats.map(i => aged(40 + i, 90 + 2 * i)),
  );
  assert.match(sentences[1]!, /; higher 95th percentile of frame latency than Alone\.$/);
  const [alone, wired] = [numbers['Alone no flood']!, numbers[wiredRow]!];
  assert.match(alone['Frame latency, median']!, /^53\.5 ms/);
  assert.match(wired['Frame latency, median']!, /^43\.5 ms/);
  assert.match(alone['Frame latency, 95th percentile']!, /^53\.5 ms/);
  assert.match(wired['Frame latency, 95th percentile']!, /^97\.0 ms/);
});

test('a stall whose end callbacks leave open has its range in sentence and table', async () => {
  const series = {
    'frames.presented': [
      ...every(20, startMs - 1000, 14_000).map((time, i) => presented(time, i + 1)),
      ...every(20, 14_240, endMs).map((time, i) => presented(time, 253 + i)),
    ],
    page: every(1000, startMs, endMs).map(timeMs => ({ timeMs, mainThreadDelayMaxMs: 30, visible: true })),
  };
  const { sentences, numbers, text } = await told([{}], [{ series }]);
  assert.match(sentences[1]!, /, 1 stall of 193 to 223 ms; /);
  assert.equal(numbers[wiredRow]!['Longest gap, all trials'], '193.3 to 223.3 ms');
  assert.match(text, /A gap is given as a range where the browser's callbacks missed frames in it/);
});

test('a condition that differs from its baseline in two things is told to', async () => {
  const { text } = verdictOf(
    (await renderSections([verdictSection], planOf({ conditions, run: { window: '10s' } }), [{}, {}, {}])).page,
  );
  assert.match(
    text,
    /Lossy differs from Alone in flood and random loss at once, so their effects cannot be separated\./,
  );
  assert.doesNotMatch(text, /Wired differs/);
  const run = planOf({ conditions, run: { window: '10s' } });
  for (const made of Object.values({ lossy: [{}, {}, 'void'], alone: ['void', {}, {}] } as const))
    assert.doesNotMatch(verdictOf((await renderSections([verdictSection], run, made)).page).text, /Lossy differs/);
});

test('conditions that differ in one thing only tell which of two things had an effect', async () => {
  const all = { ...conditions, loss: { title: 'Loss alone', flood: { id: 'none' }, link: { loss: '2%' } } };
  const plan = planOf({ conditions: all, run: { window: '10s', repeats: 6 } });
  // alone, wired, lossy, loss: 0, 400, 800 and 300 ms
  const made = [0, 0, 0, 0, 0, 0].flatMap((_, i) => [
    {},
    { stallMs: 400 + 20 * i },
    { stallMs: 800 + 20 * i },
    { stallMs: 300 + 20 * i },
  ]);
  const { text, differences } = verdictOf((await renderSections([verdictSection], plan, made)).page);
  assert.match(
    text,
    /Lossy differs from Alone in flood and random loss at once; rows with "only" in the table of differences have/,
  );
  assert.doesNotMatch(text, /cannot be separated/);
  const stalled = (row: string) => differences[row]!['Stalled time'];
  assert.equal(stalled('Lossy minus Loss alone: flood only'), '+0.50 s [0.50, 0.50] not tested');
  assert.equal(stalled('Lossy minus Wired: random loss only'), '+0.40 s [0.40, 0.40] not tested');
  assert.equal(differences['Lossy minus Loss alone: flood only']!['Pairs'], '6');
  // without a trial of one of them
  const without = made.map((one, i) => (i % 4 === 3 ? ('void' as const) : one));
  assert.match(
    verdictOf((await renderSections([verdictSection], plan, without)).page).text,
    /Lossy differs from Alone in flood and random loss at once, so their effects cannot be separated\./,
  );
});

test("a change that the correction for the headline's tests does not bear out is no claim, and what it would take is said", async () => {
  const plan = planOf({ conditions: pair, run: { window: '10s', repeats: 6 } });
  const { summary } = await renderSections(
    [verdictSection],
    plan,
    [0, 0, 0, 0, 0, 0].flatMap((stallMs, i) => [{ stallMs }, { stallMs: 300 + 20 * i }]),
  );
  const words = async () =>
    verdictOf((await verdictSection.render({ plan, summary, ...noTrials, ...facts } as ReportData))!.text);
  const claimed = await words();
  assert.match(claimed.sentences[1]!, /; more stalled time and lower frame rate than Alone\.$/);
  assert.equal(claimed.differences[wiredDifference]!['Stalled time'], '+0.35 s [0.30, 0.40] worse');
  const test = summary.comparisons[0]!.tests['stall-time']!;
  Object.assign(test, { correctedP: 0.06, smallestShown: null });
  const corrected = await words();
  assert.match(
    corrected.sentences[1]!,
    /; lower frame rate than Alone; not testable against Alone: stalled time \+0\.35 s \[0\.30, 0\.40\], all 6 pairs alike\.$/,
  );
  Object.assign(summary.comparisons[0]!.tests['frame-rate']!, { correctedP: 0.06, smallestShown: null });
  assert.match(
    (await words()).sentences[1]!,
    /; no significant difference from Alone in bitrate; not testable against Alone: stalled time \+0\.35 s \[0\.30, 0\.40\], all 6 pairs alike; frame rate \u2212[\d.]+ fps \[[^\]]+\], all 6 pairs alike\.$/,
  );
  assert.equal(
    corrected.differences[wiredDifference]!['Stalled time'],
    '+0.35 s [0.30, 0.40] all 6 pairs alike; not testable',
  );
  assert.doesNotMatch(claimed.text, /too few/);
  // said once, and before everything else
  assert.match(
    corrected.text,
    /^6 pairs are too few for a corrected test of a single difference: with 2 tests, a change in only one of them needs 7 pairs to be significant, however large it is\. Such a difference is marked "not testable"\. ?Alone/,
  );
  assert.equal(corrected.text.split('too few').length, 2);
  const lines = verdictSection.lines!({ plan, summary, ...noTrials, ...facts } as ReportData);
  assert.match(lines[0]!, /^6 pairs are too few for a corrected test of a single difference: /);
  assert.equal(lines.join().split('too few').length, 2);
});

test('the result is about the primary metrics of the study; others are told as secondary', async () => {
  const of = (primary: string[]) => planOf({ conditions: pair, primary, run: { window: '10s', repeats: 7 } });
  const made = [0, 1, 2, 3, 4, 5, 6].flatMap(i => [{ stallMs: 0 }, { stallMs: 300 + 20 * i }]);
  const plan = of(['rtt-mean', 'goodput']);
  const { summary } = await renderSections([verdictSection], plan, made);
  const words = async () =>
    verdictOf((await verdictSection.render({ plan, summary, ...noTrials, ...facts } as ReportData))!.text);
  const secondary = summary.comparisons[0]!.tests;
  for (const id of ['stall-time', 'frame-rate'])
    Object.assign(secondary[id]!, { correctedP: 0.06, smallestShown: null });
  const untold = await words();
  assert.match(untold.sentences[1]!, /; no significant difference from Alone in mean of round trip or bitrate\.$/);
  assert.deepEqual(
    Object.keys(untold.differences[wiredDifference]!).filter(name => /Round trip|Bitrate|Stalled/.test(name)),
    ['Round trip, mean', 'Bitrate', 'Stalled timesecondary'],
  );
  Object.assign(secondary['stall-time']!, { correctedP: 0.04 });
  assert.match(
    (await words()).sentences[1]!,
    /; no significant difference from Alone in mean of round trip or bitrate; secondary: more stalled time than Alone\.$/,
  );
});

test('motion is judged trial by trial: a mean does not make it smooth, and one trial with long waits is told', async () => {
  const plan = (made: readonly Made[]) =>
    renderSections(
      [verdictSection],
      planOf({ service: { id: 'clip', maxBitrate: '4mbit' }, run: { window: '10s', repeats: made.length } }),
      made,
    )
      .then(({ summary, plan: of }) => {
        subjectOf(of.conditions[0]!).frameRate = 50;
        return verdictSection.render({ plan: of, summary, ...noTrials, ...facts } as ReportData);
      })
      .then(html => html!.text);
  assert.match(await plan([{}]), /: smooth motion at 50\.0 of 50 fps, no stall\./);
  // a wait of 140 ms every 1.2 s
  const frames = every(20, startMs - 1000, endMs).filter(
    time => time < startMs || (time - startMs) % 1200 === 0 || (time - startMs) % 1200 >= 140,
  );
  const waits: Made = { series: { 'frames.presented': presentedAt(frames) } };
  assert.match(await plan([waits]), /: uneven motion at 44\.6 of 50 fps, no stall\./);
  assert.match(
    await plan([{}, waits, {}]),
    /: smooth motion in 2 of 3 trials \(harmonic rate 28\.5 fps in 1, a gap of 140 ms in 1\), median 50\.0 of 50 fps, no stall in 3 trials\./,
  );
  // frames of 20 bytes from the second second of the window on repeat the picture
  const all = every(20, startMs - 1000, endMs);
  const still: Made = {
    series: {
      'frames.presented': all.map((timeMs, i) => presented(timeMs, i + 1, i)),
      'frames.sent': all.map((timeMs, i) => ({
        rtpTimestamp: i,
        captureMs: timeMs - 50,
        key: false,
        packets: 2,
        bytes: timeMs > startMs + 1000 ? 20 : 2000,
      })),
    },
  };
  assert.match(
    await plan([{}, still]),
    /: smooth motion in 1 of 2 trials \(a still picture in 1\), median 50\.0 of 50 fps, no stall in 2 trials, the picture stood still though frames came, 9\.0\d s in all/,
  );
});

test('void tries that are as frequent in each condition are told without a warning', async () => {
  const { page } = await renderSections(
    [verdictSection],
    planOf({ conditions: pair, run: { window: '10s', repeats: 2 } }),
    [{}, {}, 'void', 'void'],
  );
  const { text } = verdictOf(page);
  assert.match(text, /2 tries were void and are not in these numbers; the reasons are below Table 1\./);
  assert.doesNotMatch(text, /not equally frequent|No valid trial/);
});

test('without a valid trial the report begins with that, why, and what to do', async () => {
  const failed: Made = {
    change: { verdict: { status: 'invalid', findings: [{ kind: 'failure', status: 'invalid', message: 'no video' }] } },
  };
  const rendered = async (made: readonly (Made | 'void')[]) => {
    const { page } = await renderSections([verdictSection], planOf({ conditions: pair, run: { window: '10s' } }), made);
    assert.equal(parsePage(page).querySelector('#verdict > h2')!.nextElementSibling!.className, 'note warning');
    return verdictOf(page).text;
  };
  const disturbed = await rendered(['void', failed]);
  assert.match(
    disturbed,
    /^Result ?No valid trial: 2 of 2 tries are void, because the machine was \u2026 % busy \(1 of 2 tries\); no video \(1 of 2 tries\)\. /,
  );
  assert.match(
    disturbed,
    /Close other programs, then run npm run experiment -- --resume with the folder of this report/,
  );
  assert.match(disturbed, /Alone \(no flood\): no valid trial, 1 void; its least disturbed try, not for publication: /);
  assert.match(disturbed, /Wired \([^)]*\): no valid trial, 1 void\./, 'one in which a part failed is not shown');
  assert.doesNotMatch(disturbed, /in these numbers/);
  assert.match(await rendered([failed, failed]), /no video \(2 of 2 tries\)\..*Fix the causes named above, then/);
});
