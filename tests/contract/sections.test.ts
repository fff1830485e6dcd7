/** What every section of a report has to keep: each folder in reports/sections/ and reports/judged/. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPlugins } from '../../core/plugins.ts';
import { TrialView } from '../../harness/analysis/derive/trial-view.ts';
import type { MetricPlugin } from '../../harness/analysis/metrics/metric.ts';
import { summarise } from '../../harness/analysis/summary/summarise.ts';
import { loadStudy, studyNames } from '../../harness/definition/load.ts';
import { makePlan } from '../../harness/definition/plan.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { packetSeries } from '../../harness/record/series/packets.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { factsOf, reportData, summariseRun } from '../../harness/studies/conditions/finish.ts';
import { parameterKinds } from '../../harness/studies/conditions/parameter-kinds.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import { Html } from '../../reports/html.ts';
import type { ReportData, ReportSection } from '../../reports/report.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { planOf } from '../unit/harness/support/plan.ts';
import { endMs, every, startMs } from '../unit/harness/support/record.ts';
import { createFolder, versions } from '../unit/harness/support/run-folder.ts';
import { unjudged } from '../unit/reports/support/judged.ts';
import { conditions, renderRun } from '../unit/reports/support/run.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const loadFrom = <R>(folder: string) =>
  loadPlugins<ReportSection<R>>(new URL(`../../reports/${folder}/`, import.meta.url), 'report section');
const sections = new Map([...(await loadFrom<ReportData>('sections')), ...(await loadFrom<ReportData>('judged'))]);
const metrics = await loadPlugins<MetricPlugin>(new URL('../../harness/analysis/metrics/', import.meta.url), 'metric');
const registries = await loadRegistries();
const folder = temporaryFolder();

/** A run of a shipped study that has not begun. */
async function notBegun(name: string): Promise<ReportData> {
  const plan = makePlan(name, (await loadStudy(name)).definition, registries);
  const run = createFolder(folder, name, plan);
  return {
    plan,
    versions,
    createdMs: 0,
    summary: await summarise(run, [...metrics.values()]),
    records: new Map(),
    disturbed: new Map(),
    details: [],
    files: [],
    ...unjudged,
    reference: null,
    voiceScores: null,
    kinds: parameterKinds(registries),
    factsOf: service => factsOf(service, registries),
  };
}

/** A trial whose series stay on the disk. */
class ClosedRecord extends TrialRecord {
  override read({ id }: { id: string }): Promise<never> {
    throw new Error(`${id} of a trial is read from a record that the report keeps`);
  }

  override packetTable(): Promise<never> {
    return this.read(packetSeries);
  }
}

/** A run with a trial of everything that a section can ask for, and its records closed. */
async function closedRun(): Promise<ReportData> {
  const plan = planOf({ conditions, run: { window: '10s' } });
  const series = {
    bbr3: every(100, startMs, endMs).map(timeMs => ({
      kind: 'sample',
      timeMs,
      port: 1,
      state: 'cruise',
      maxBandwidthBps: 20e6,
      pacingBps: 19.8e6,
      inFlightPackets: 70,
      congestionWindowPackets: 140,
      minRttMs: 40,
      rttMs: 44,
    })),
    'picture-quality': every(20, startMs, endMs - 20).map((timeMs, i) => ({
      timeMs,
      shownFrame: i,
      wantedFrame: i,
      psnrDb: 38,
      ssim: 0.97,
      vmaf: 90,
    })),
    'picture-comparison': [
      {
        vmaf: { program: 'FFmpeg 9', model: 'vmaf_v0.6.1' },
        vmafMissing: null,
        problem: null,
        shownPictures: 500,
        numbersRight: 500,
        numbersOld: 0,
        numbersUnread: 0,
      },
    ],
  };
  await renderRun(
    folder,
    'closed',
    plan,
    plan.trials.map(() => ({ stallMs: 300, series })),
  );
  const run = RunFolder.open(join(folder, 'closed'));
  const records = run
    .trialNames()
    .map(name => new TrialView(new ClosedRecord(run.trialFile(name), run.trialFolder(name))));
  return {
    ...(await reportData(run, await summariseRun(run))),
    records: new Map(plan.conditions.map(({ id }) => [id, records.filter(({ file }) => file.condition.id === id)])),
  };
}

const closed = await closedRun();
const reports = await Promise.all((await studyNames()).map(notBegun));

test('there are sections, each in its own place', () => {
  assert.ok(sections.size > 0);
  const taken = new Map<number, string>();
  for (const [id, { order }] of sections) {
    assert.ok(Number.isFinite(order), `${id}: order is ${order}`);
    assert.equal(
      taken.get(order),
      undefined,
      `${id}: order ${order} is that of ${taken.get(order)}; choose a free one`,
    );
    taken.set(order, id);
  }
});

for (const [id, section] of sections) {
  test(`${id}: says what it is`, () => saysWhatItIs(section, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(section));

  test(`${id}: renders a run without trials, for every shipped study`, async () => {
    for (const report of reports) {
      const content = await section.render(report);
      assert.ok(content === null || content instanceof Html, 'render must give null or what html`...` makes');
      assert.doesNotMatch(content?.text ?? '', /\bNaN\b|\bundefined\b|\[object /, report.plan.study);
    }
  });

  test(`${id}: reads trials one after the other and keeps none of them`, async () => {
    await assert.doesNotReject(async () => section.render(closed));
  });

  test(`${id}: the same run renders the same`, async () => {
    for (const report of reports)
      assert.equal((await section.render(report))?.text, (await section.render(report))?.text);
  });
}
