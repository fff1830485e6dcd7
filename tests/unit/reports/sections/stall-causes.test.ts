import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, presented, startMs } from '../../harness/support/record.ts';
import { pageOf, textOf } from '../support/faulty-run.ts';
import { parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();

test('each stall is listed with its cause, its evidence and a link to its trial', async () => {
  const page = await pageOf(folder, 'faults', [
    { receiver: { fromMs: 12_000, toMs: 12_500 } },
    { outage: { fromMs: 13_000, toMs: 13_400 } },
    {},
  ]);
  const document = parsePage(page);
  const rows = [...document.querySelectorAll('#stall-causes tbody tr')];
  assert.equal(rows.length, 2);
  assert.match(
    rows[0]!.textContent.replace(/\s+/g, ' '),
    /0001-alone\s*Alone\s*1\.98 s\s*516\.5 ms\s*stall, freeze\s*host: receiver starved\s*frame 149 was complete 512 ms before the next frame was presented, .* the browser's page was held up for 500 ms in that second/,
  );
  assert.match(rows[1]!.textContent.replace(/\s+/g, ' '), /0002-wired.*link outage or loss of capacity/);
  for (const link of document.querySelectorAll('#stall-causes a'))
    assert.ok(document.getElementById(link.getAttribute('href')!.slice(1)) !== null, 'the trial is there');
  assert.match(textOf(page, 'stall-causes')!, /Alone 1 stall, 0\.\d\d s; Wired 1 stall, 0\.\d\d s\./);
});

test('a length that callbacks leave open has its bounds, and what cannot be found is said', async () => {
  const series = {
    'frames.presented': [
      ...every(20, startMs - 1000, 14_000).map((time, i) => presented(time, i + 1)),
      ...every(20, 14_240, endMs).map((time, i) => presented(time, 253 + i)),
    ],
    page: every(1000, startMs, endMs).map(timeMs => ({ timeMs, mainThreadDelayMaxMs: 30, visible: true })),
  };
  const { page } = await renderRun(folder, 'bounds', planOf({ run: { window: '10s' } }), [{ series }]);
  const text = textOf(page, 'stall-causes')!;
  assert.match(text, /223\.3 ms\s*193\.3 to 223\.3/);
  assert.match(page, /aria-label="Share of stalled time: All trials 1 stall, 0\.22 s; All trials, not known: 100 %"/);
  assert.match(text, /a range below a length means that the frames at its end were presented without a callback/i);
  assert.match(
    text,
    /trials in which a frame was captured more than 100 ms late, or the page was held up for more than 150 ms, are void/i,
  );
});

test('the longest stall of each condition is drawn frame by frame', async () => {
  const section = parsePage(
    await pageOf(folder, 'paths', [
      { receiver: { fromMs: 12_000, toMs: 12_300 } },
      { outage: { fromMs: 13_000, toMs: 13_400 } },
      {},
    ]),
  ).querySelector('#stall-causes')!;
  const figures = [...section.querySelectorAll('details')];
  assert.deepEqual(
    figures.map(figure => figure.querySelector('summary')!.textContent.replace(/\d+\.\d ms/, 'N ms')),
    [
      'Alone: N ms at 1.98 s of 0001-alone, host: receiver starved',
      'Wired: N ms at 3.00 s of 0002-wired, link outage or loss of capacity',
    ],
  );
  const rows = (figure: (typeof figures)[number]) =>
    new Set([...figure.querySelectorAll('svg g[aria-label="bar"] rect')].map(bar => bar.getAttribute('y'))).size;
  // frames every 20 ms: six up to the last one shown, those in between, and six after them
  assert.ok(
    figures.every(figure => rows(figure) > 20 && rows(figure) <= 63),
    figures.map(rows).join(', '),
  );
  assert.match(figures[0]!.textContent, /the browser's page was held up for 300 ms in that second/);
});

test('the timeline of the longest stall has the stops of the link within its time', async () => {
  const page = await pageOf(
    folder,
    'stops',
    [{ outage: { fromMs: 13_000, toMs: 13_400 } }, {}, {}],
    [
      { timeMs: 11_000, lengthMs: 30 },
      { timeMs: 13_100, lengthMs: 25 },
    ],
  );
  const bands = [...parsePage(page).querySelectorAll('#stall-causes details svg g[aria-label="rect"] rect title')];
  assert.deepEqual(
    bands.map(band => band.textContent),
    ['the link stood still for 25 ms'],
  );
  assert.match(textOf(page, 'stall-causes')!, /darker: the link stood still although packets waited/);
});

test('a stall whose frames cannot be followed is listed and not drawn', async () => {
  const { page } = await renderRun(folder, 'blind', planOf({ run: { window: '10s' } }), [{ stallMs: 300 }]);
  const section = parsePage(page).querySelector('#stall-causes')!;
  assert.equal(section.querySelectorAll('tbody tr').length, 1);
  assert.equal(section.querySelector('details'), null);
});

test('where nothing stalled there is nothing to say', async () => {
  assert.equal(textOf(await pageOf(folder, 'calm', [{}, {}, {}]), 'stall-causes'), undefined);
});
