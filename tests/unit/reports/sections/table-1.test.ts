import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../../harness/definition/plan.ts';
import floodAndLoss from '../../../../harness/studies/experiment/shipped/flood-and-loss.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { plugin as overviewSection } from '../../../../reports/sections/overview/index.ts';
import { plugin as table1Section } from '../../../../reports/sections/table-1/index.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { reportOf } from '../support/injected.ts';
import { renderSections } from '../support/report-data.ts';
import { parsePage } from '../support/run.ts';

const folder = temporaryFolder();
const sections = [verdictSection, overviewSection, table1Section];

/** Rows of the table, starting with its two rows of headings. */
async function tableOf(plan: Parameters<typeof renderSections>[1]): Promise<string[][]> {
  const { page } = await renderSections(sections, plan, []);
  return [...parsePage(page).querySelectorAll('#table-1 tr')].map(row =>
    [...row.querySelectorAll('th, td')].map(cell => cell.textContent.trim()),
  );
}

test('the paper has a column for each condition that it knows, and for no other', async () => {
  const reference = {
    title: 'A paper',
    values: { 'frame-rate': { wired: '53.2 fps' }, 'rtt-mean': { lossy: 'high' } },
  };
  const conditions = {
    alone: { title: 'Alone', flood: { id: 'none' } },
    wired: { title: 'Wired' },
    lossy: { title: 'Lossy', link: { loss: '2%' } },
  };
  const rows = await tableOf(planOf({ conditions, reference }));
  assert.deepEqual(rows[0], ['', 'Measured here (median)', 'A paper']);
  assert.deepEqual(rows[1]!.slice(-2), ['Wired', 'Lossy']);
  assert.equal(rows[1]!.length, 6);
  assert.deepEqual(rows.find(([title]) => title === 'Frame rate')!.slice(-2), ['53.2 fps', '']);
  assert.deepEqual(rows.find(([title]) => title === 'Round trip, mean')!.slice(-2), ['', 'high']);
});

test('what is varied stands beside what the paper has of what it varies', async () => {
  const reference = { title: 'A paper', values: { 'frame-rate': { wired: '53.2 fps' } } };
  const rows = await tableOf(
    planOf({ conditions: { wired: { title: 'Wired' } }, vary: { 'link.loss': ['0%', '1%'] }, reference }),
  );
  assert.deepEqual(rows[1]!.slice(-2), ['Wired, loss 0%', 'Wired, loss 1%']);
});

test('a paper that prints nothing of these conditions has no column', async () => {
  const rows = await tableOf(planOf({ reference: { title: 'A paper', values: {} } }));
  assert.deepEqual(rows[0], ['', 'Measured here (median)']);
});

test('of floods and losses, the paper knows the three phases of its own', async () => {
  const rows = await tableOf(makePlan('flood-and-loss', floodAndLoss, await loadRegistries()));
  assert.deepEqual(rows[1]!.slice(16), ['Alone, loss 0%', 'BBRv3, loss 0%', 'BBRv3, loss 2%']);
  assert.deepEqual(rows.find(([title]) => title!.startsWith('Harm factor'))!.slice(-3), ['', '1.2', '1.5']);
});

test('brackets of different n have each their own coverage', async () => {
  const { page } = await renderSections(
    sections,
    planOf({
      conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } },
      run: { window: '10s', repeats: 7 },
    }),
    Array.from({ length: 14 }, (_, i) => (i % 2 === 1 && i > 6 ? 'void' : {})),
  );
  const caption = parsePage(page).querySelector('#table-1 figcaption')!.textContent.replace(/\s+/g, ' ');
  assert.match(
    caption,
    /Alone n = 7, Wired n = 3; brackets: of Alone 98\.4 % interval of the median; of Wired range of the trials, which covers the median with 75 %/,
  );
  assert.match(
    parsePage(page).querySelector('#overview figcaption')!.textContent,
    /of Wired range of the trials, which covers the median with 75 %/,
  );
});

test('a metric with fewer values than trials has the coverage of its own brackets', async () => {
  const { page } = await renderSections(
    sections,
    planOf({ conditions: { alone: { title: 'Alone', flood: { id: 'none' } } }, run: { window: '10s', repeats: 6 } }),
    Array.from({ length: 6 }, (_, i) => (i === 0 ? { series: { stats: [] } } : {})),
  );
  const document = parsePage(page);
  const row = [...document.querySelectorAll('#table-1 tr')].find(({ textContent }) =>
    textContent.startsWith('Goodput'),
  )!;
  assert.match(row.textContent, /n = 5, brackets 93\.7 %/);
  assert.match(
    document.querySelector('#overview figcaption')!.textContent,
    /bar: 96\.8 % interval of the median\. Goodput, Alone: n = 5, brackets 93\.7 %\./,
  );
  assert.match(
    page,
    /aria-label="Goodput: Alone: median 1\.00 Mbit\/s, interval 1\.00 to 1\.00 \(n = 5, brackets 93\.7 %\)"/,
  );
});

test('under the table stand the tries of each condition, with the reasons, and the headline over every measured try', async () => {
  const { page } = await renderSections(
    sections,
    planOf({
      conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } },
      run: { window: '10s', repeats: 2 },
    }),
    [{ stallMs: 300 }, { stallMs: 500 }, { stallMs: 300 }, 'void'],
  );
  const rows = [...parsePage(page).querySelectorAll('#tries tbody tr')].map(row =>
    [...row.querySelectorAll('th, td')].map(cell => cell.textContent.trim().replace(/\s+/g, ' ')),
  );
  assert.deepEqual(rows.slice(0, 2), [
    ['Alone', '2', '2', '0', '0', '\u2013', '\u2013'],
    ['Wired', '2', '1', '0', '1', '\u2013', 'the machine was \u2026 % busy (1)'],
  ]);
  const heads = [...parsePage(page).querySelectorAll('#tries thead th')].map(({ textContent }) => textContent);
  assert.ok(heads.includes('Goodput valid trials'), heads.join('; '));
  // the void trial had no stall
  assert.deepEqual(rows[3]!.slice(0, 3), ['Wired n = 1 and 2', '0.50 s', '0.00 and 0.50 sn = 2']);
});

test('without a valid trial the tries come before the empty table', async () => {
  const plan = planOf({
    conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } },
    run: { window: '10s' },
  });
  const idsOf = (page: string) => [...parsePage(page).querySelectorAll('#table-1 > figure')].map(({ id }) => id);
  const { page } = await renderSections(sections, plan, ['void', 'void']);
  assert.deepEqual(idsOf(page), ['tries', '']);
  assert.doesNotMatch(parsePage(page).querySelector('#tries')!.textContent, /as above/);
  assert.deepEqual(idsOf((await renderSections(sections, plan, [{}, 'void'])).page), ['', 'tries']);
});

test('where the harm factor is not defined it says in how many pairs, with the difference of the verdict', async () => {
  const { page } = await renderSections(
    sections,
    planOf({
      conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } },
      run: { window: '10s', repeats: 6 },
    }),
    [0, 300, 300, 300, 300, 300].flatMap((stallMs, i) => [{ stallMs }, { stallMs: 500 + 100 * i }]),
  );
  const document = parsePage(page);
  const row = [...document.querySelectorAll('#table-1 tr')].find(({ textContent }) => textContent.startsWith('Harm'))!;
  const cell = [...row.querySelectorAll('td')].at(-1)!.textContent;
  assert.match(cell, /^undefinedthe baseline has 0 s in 1 of 6 pairs; difference \+0\.\d\d s \[0\.\d\d, 0\.\d\d\]$/);
  const told = [...document.querySelectorAll('#differences tbody td')][1]!.textContent;
  const [, difference] = /difference (.*)$/.exec(cell)!;
  assert.ok(told.replace(/(s) *\[/, '$1 [').startsWith(difference!), `${told} and ${difference}`);
});

test('the harm of stalls counts pairs on one machine alone', async () => {
  const shown = { frameRate: 50, latencyMs: 40, tailMs: 0, goodputBps: 1e6, stallMs: 0, driftBps: 0, lateMs: 0 };
  const on = (machines: string, stallMs: number) =>
    [...machines].map(machine => [{ shown: { ...shown, stallMs }, isVoid: false, machine }]);
  const told = await reportOf(folder, 'machines', { alone: on('aaaaaaa', 0), wired: on('aaaaaab', 400) });
  assert.match(told.table1['Harm factor (stalled time)']![1]!, /the baseline has 0 s in all 6 pairs/);
});
