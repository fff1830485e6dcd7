import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkDefinition } from '../../../../harness/definition/link.ts';
import { plugin as goodputSeriesSection } from '../../../../reports/sections/goodput-series/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { chartsOf } from '../support/run.ts';

/** Upper end of the axis, Mbit/s. Undefined if the lines alone determine it. */
async function topOf(link: LinkDefinition): Promise<number | undefined> {
  const { page } = await renderSections(
    [goodputSeriesSection],
    planOf({ link: { rate: '10mbit', queue: { limit: '1000packets' }, ...link }, run: { window: '10s' } }),
    [{}],
  );
  return chartsOf(page).find(({ title }) => title.startsWith('Goodput'))!.y.max;
}

test('the axis goes up to the rate of the link, the highest that its schedule has in the window', async () => {
  assert.equal(await topOf({}), 10);
  assert.equal(
    await topOf({
      schedule: [
        { at: '3s', rate: '60mbit' },
        { at: '5s', rate: '20mbit' },
        { at: '20s', rate: '90mbit' },
      ],
    }),
    60,
  );
  // half of the ramp lies in the window
  assert.equal(await topOf({ schedule: [{ at: '5s', rate: '30mbit', ramp: '10s' }] }), 20);
});

test('a trace has no rate to draw', async () => {
  assert.equal(await topOf({ trace: 'cell.trace' }), undefined);
});
