import assert from 'node:assert/strict';
import { test } from 'node:test';
import floodAndLoss from '../../../../harness/experiments/flood-and-loss.ts';
import { makePlan } from '../../../../harness/experiment/plan.ts';
import { loadRegistries } from '../../../../harness/runner/registries.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();

/** The table's rows, its two rows of headings first. */
async function tableOf(name: string, plan: Parameters<typeof renderRun>[2]): Promise<string[][]> {
  const { page } = await renderRun(folder, name, plan, []);
  return [...parsePage(page).querySelectorAll('#table-1 tr')].map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent.trim()));
}

test('the paper has a column for each condition that it knows, and for no other', async () => {
  const reference = { title: 'A paper', values: { 'frame-rate': { wired: '53.2 fps' }, 'rtt-mean': { lossy: 'high' } } };
  const conditions = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' }, lossy: { title: 'Lossy', link: { loss: '2%' } } };
  const rows = await tableOf('paper', planOf({ conditions, reference }));
  assert.deepEqual(rows[0], ['', 'Measured here (median)', 'A paper']);
  assert.deepEqual(rows[1]!.slice(-2), ['Wired', 'Lossy']);
  assert.equal(rows[1]!.length, 6);
  assert.deepEqual(rows.find(([title]) => title === 'Frame rate')!.slice(-2), ['53.2 fps', '']);
  assert.deepEqual(rows.find(([title]) => title === 'Round trip, mean')!.slice(-2), ['', 'high']);
});

test('what is varied stands beside what the paper has of what it varies', async () => {
  const reference = { title: 'A paper', values: { 'frame-rate': { wired: '53.2 fps' } } };
  const rows = await tableOf('varied', planOf({ conditions: { wired: { title: 'Wired' } }, vary: { 'link.loss': ['0%', '1%'] }, reference }));
  assert.deepEqual(rows[1]!.slice(-2), ['Wired, loss 0%', 'Wired, loss 1%']);
});

test('a paper that prints nothing of these conditions has no column', async () => {
  const rows = await tableOf('silent', planOf({ reference: { title: 'A paper', values: {} } }));
  assert.deepEqual(rows[0], ['', 'Measured here (median)']);
});

test('of floods and losses, the paper knows the three phases of its own', async () => {
  const rows = await tableOf('floods', makePlan('flood-and-loss', floodAndLoss, await loadRegistries()));
  assert.deepEqual(rows[1]!.slice(16), ['Alone, loss 0%', 'BBRv3, loss 0%', 'BBRv3, loss 2%']);
  assert.deepEqual(rows.find(([title]) => title!.startsWith('Harm factor'))!.slice(-3), ['', '1.2', '1.5']);
});
