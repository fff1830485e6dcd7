/** What every section of a report has to keep: each folder in reports/sections/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../harness/base/plugins.ts';
import { loadStudy, studyNames } from '../../harness/experiment/load.ts';
import { makePlan } from '../../harness/experiment/plan.ts';
import type { MetricPlugin } from '../../harness/metrics/metric.ts';
import { loadRegistries } from '../../harness/runner/registries.ts';
import { summarise } from '../../harness/summary/summarise.ts';
import { Html } from '../../reports/html.ts';
import type { ReportData, ReportSection } from '../../reports/report.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { createFolder, versions } from '../unit/harness/support/run-folder.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const sections = await loadPlugins<ReportSection>(new URL('../../reports/sections/', import.meta.url), 'report section');
const metrics = await loadPlugins<MetricPlugin>(new URL('../../harness/metrics/', import.meta.url), 'metric');
const folder = temporaryFolder();

/** A run of a shipped study that has not begun. */
async function notBegun(name: string): Promise<ReportData> {
  const plan = makePlan(name, (await loadStudy(name)).definition, await loadRegistries());
  const run = createFolder(folder, name, plan);
  return { plan, versions, createdMs: 0, summary: await summarise(run, [...metrics.values()]), records: new Map(), details: [], outcomes: [] };
}

const reports = await Promise.all((await studyNames()).map(notBegun));

test('there are sections, each in its own place', () => {
  const orders = [...sections.values()].map(section => section.order);
  assert.ok(orders.length > 0);
  assert.equal(new Set(orders).size, orders.length);
  assert.ok(orders.every(order => Number.isFinite(order)));
});

for (const [id, section] of sections) {
  test(`${id}: says what it is`, () => saysWhatItIs(section, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(section));

  test(`${id}: renders a run without trials, for every shipped study`, async () => {
    for (const report of reports) {
      const content = await section.render(report);
      assert.ok(content === null || content instanceof Html);
      assert.doesNotMatch(content?.text ?? '', /\bNaN\b|\bundefined\b|\[object /, report.plan.study);
    }
  });

  test(`${id}: the same run renders the same`, async () => {
    for (const report of reports) assert.equal((await section.render(report))?.text, (await section.render(report))?.text);
  });
}
