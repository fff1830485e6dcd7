import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../../harness/definition/plan.ts';
import floodAndLoss from '../../../../harness/studies/experiment/shipped/flood-and-loss.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { variedFields } from '../../../../reports/sections/heat-maps/combinations.ts';
import { plugin as heatMapsSection } from '../../../../reports/sections/heat-maps/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { parsePage } from '../support/run.ts';

const vary = { 'link.rate': ['10mbit', '20mbit'], 'flood.flows': [1, 5, 9] };

test('two varied things are one field, the first of them down', () => {
  const [field, ...others] = variedFields(planOf({ vary }));
  assert.deepEqual(others, []);
  assert.deepEqual(
    [field!.title, field!.y, field!.x],
    ['', { label: 'rate', values: ['10mbit', '20mbit'] }, { label: 'flows', values: ['1', '5', '9'] }],
  );
  assert.deepEqual(field!.cells.slice(0, 2), [
    { x: '1', y: '10mbit', condition: 'rate-10mbit-flows-1' },
    { x: '5', y: '10mbit', condition: 'rate-10mbit-flows-5' },
  ]);
  assert.equal(field!.cells.length, 6);
});

test('each named condition, and each value of a third thing, has a field of its own', () => {
  const conditions = { wired: { title: 'Wired' }, lossy: { title: 'Lossy', link: { loss: '2%' } } };
  const fields = variedFields(planOf({ conditions, vary: { ...vary, 'service.maxBitrate': ['2mbit', '4mbit'] } }));
  assert.deepEqual(
    fields.map(({ title, cells }) => [title, cells.length]),
    [
      ['Wired, max bitrate 2mbit', 6],
      ['Wired, max bitrate 4mbit', 6],
      ['Lossy, max bitrate 2mbit', 6],
      ['Lossy, max bitrate 4mbit', 6],
    ],
  );
});

test('a condition for which the variation makes no difference is in no field', () => {
  const conditions = {
    alone: { title: 'Alone', link: { rate: '5mbit' }, flood: { id: 'none' } },
    wired: { title: 'Wired' },
  };
  assert.deepEqual(
    variedFields(planOf({ conditions, vary })).map(({ title }) => title),
    ['Wired'],
  );
});

test('an id that varies names itself', () => {
  const [field] = variedFields(
    planOf({ service: { id: 'clip' }, vary: { 'service.id': ['clip', 'page'], 'flood.flows': [1, 5] } }),
  );
  assert.deepEqual(
    [field!.y, field!.cells.length, field!.cells[0]],
    [{ label: 'service', values: ['clip', 'page'] }, 4, { x: '1', y: 'clip', condition: 'id-clip-flows-1' }],
  );
});

test('named conditions and one varied thing are one field, the conditions down', () => {
  const conditions = {
    alone: { title: 'Alone', flood: { id: 'none' } },
    wired: { title: 'Wired' },
    lossy: { title: 'Lossy', link: { loss: '2%' } },
  };
  const [field, ...others] = variedFields(
    planOf({ conditions, vary: { 'flood.flows': [1, 5], 'link.rate': ['10mbit'] } }),
  );
  assert.deepEqual(others, []);
  // without a flood, the varied parameter changes nothing
  assert.deepEqual(
    [field!.title, field!.y, field!.x],
    ['', { label: 'condition', values: ['Wired', 'Lossy'] }, { label: 'flows', values: ['1', '5'] }],
  );
  assert.deepEqual(
    field!.cells.map(({ x, y, condition }) => [y, x, condition]),
    [
      ['Wired', '1', 'wired-flows-1-rate-10mbit'],
      ['Wired', '5', 'wired-flows-5-rate-10mbit'],
      ['Lossy', '1', 'lossy-flows-1-rate-10mbit'],
      ['Lossy', '5', 'lossy-flows-5-rate-10mbit'],
    ],
  );
});

test('the study of floods and losses has a field of fifteen cells', async () => {
  const [field, ...others] = variedFields(makePlan('flood-and-loss', floodAndLoss, await loadRegistries()));
  assert.deepEqual(
    [others, field!.y.values, field!.x.values, field!.cells.length],
    [[], ['Alone', 'BBRv3', 'BBRv3 x 5', 'BBRv1', 'CUBIC'], ['0%', '1%', '2%'], 15],
  );
});

test('one varied thing, or none, is no field', () => {
  assert.deepEqual(variedFields(planOf()), []);
  assert.deepEqual(variedFields(planOf({ vary: { 'flood.flows': [1, 5], 'link.rate': ['10mbit'] } })), []);
  const onlyOne = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } };
  assert.deepEqual(variedFields(planOf({ conditions: onlyOne, vary: { 'flood.flows': [1, 5] } })), []);
});

test('a report has a map for each number that there is', async () => {
  const plan = planOf({ vary: { 'link.rate': ['10mbit', '20mbit'], 'flood.flows': [1, 5] }, run: { window: '10s' } });
  const { page } = await renderSections([heatMapsSection], plan, [{ stallMs: 300 }, { stallMs: 600 }, {}, {}]);
  const section = parsePage(page).querySelector('#heat-maps')!;
  assert.deepEqual(
    [...section.querySelectorAll('h3')].map(heading => heading.textContent),
    ['Frame rate (fps)', 'Stalled time (s)', 'Goodput (Mbit/s)', 'Link utilisation (%)'],
  );
  assert.match(
    section.querySelectorAll('svg')[1]!.getAttribute('aria-label')!,
    /10mbit, 1: 0\.30 s {2}n = 1; 10mbit, 5: 0\.60 s/,
  );
});
