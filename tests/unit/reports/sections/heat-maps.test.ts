import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variedFields } from '../../../../reports/sections/heat-maps/combinations.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();
const vary = { 'link.rate': ['10mbit', '20mbit'], 'flood.flows': [1, 5, 9] };

test('two varied things are one field, the first of them down', () => {
  const [field, ...others] = variedFields(planOf({ vary }));
  assert.deepEqual(others, []);
  assert.deepEqual([field!.title, field!.y, field!.x], ['', { label: 'rate', values: ['10mbit', '20mbit'] }, { label: 'flows', values: ['1', '5', '9'] }]);
  assert.deepEqual(field!.cells.slice(0, 2), [{ x: '1', y: '10mbit', condition: 'rate-10mbit-flows-1' }, { x: '5', y: '10mbit', condition: 'rate-10mbit-flows-5' }]);
  assert.equal(field!.cells.length, 6);
});

test('each named condition, and each value of a third thing, has a field of its own', () => {
  const conditions = { wired: { title: 'Wired' }, lossy: { title: 'Lossy', link: { loss: '2%' } } };
  const fields = variedFields(planOf({ conditions, vary: { ...vary, 'service.maxBitrate': ['2mbit', '4mbit'] } }));
  assert.deepEqual(fields.map(({ title, cells }) => [title, cells.length]), [
    ['Wired, maxBitrate 2mbit', 6], ['Wired, maxBitrate 4mbit', 6], ['Lossy, maxBitrate 2mbit', 6], ['Lossy, maxBitrate 4mbit', 6],
  ]);
});

test('a condition for which the variation makes no difference is in no field', () => {
  const conditions = { alone: { title: 'Alone', link: { rate: '5mbit' }, flood: { id: 'none' } }, wired: { title: 'Wired' } };
  assert.deepEqual(variedFields(planOf({ conditions, vary })).map(({ title }) => title), ['Wired']);
});

test('one varied thing, or none, is no field', () => {
  assert.deepEqual(variedFields(planOf()), []);
  assert.deepEqual(variedFields(planOf({ vary: { 'flood.flows': [1, 5], 'link.rate': ['10mbit'] } })), []);
});

test('a report has a map for each number that there is', async () => {
  const plan = planOf({ vary: { 'link.rate': ['10mbit', '20mbit'], 'flood.flows': [1, 5] }, run: { window: '10s' } });
  const { page } = await renderRun(folder, 'maps', plan, [{ stallMs: 300 }, { stallMs: 600 }, {}, {}]);
  const section = parsePage(page).querySelector('#heat-maps')!;
  assert.deepEqual([...section.querySelectorAll('h3')].map(heading => heading.textContent), ['Frame rate, decoded (fps)', 'Stalled time (> 200 ms) (s)', 'Media goodput (Mbit/s)', 'Link utilisation (%)']);
  assert.match(section.querySelectorAll('svg')[1]!.getAttribute('aria-label')!, /10mbit, 1: 0\.30 s {2}n = 1; 10mbit, 5: 0\.60 s/);
});
