import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSeries } from '../../../../harness/record/load-series.ts';
import type { Series } from '../../../../harness/record/schema/series.ts';
import { pingSeries } from '../../../../harness/record/series/ping.ts';
import { tcpSeries } from '../../../../harness/record/series/tcp.ts';
import { applicationsFolder, TrialRecord } from '../../../../harness/record/trial-record.ts';
import { SeriesWriter } from '../../../../harness/trial/series-writer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { trialFile } from '../support/record.ts';

test('what is written of a series is what the record reads of it', async () => {
  const directory = temporaryFolder();
  const all = [...(await loadSeries()).values()];
  const record = new TrialRecord(trialFile(), directory);
  mkdirSync(record.directory, { recursive: true });
  const writers = { trial: new SeriesWriter(directory), application: new SeriesWriter(record.directory) };
  for (const series of all) writers[series.of].write(series, { timeMs: 1, id: series.id });
  await Promise.all(Object.values(writers).map(writer => writer.close()));
  for (const series of all) {
    assert.deepEqual(await record.read(series), [{ timeMs: 1, id: series.id }]);
    assert.equal(writers[series.of].count(series), 1);
  }
  assert.deepEqual(await record.as('flood').read(tcpSeries), [], 'an application has its own');
  assert.deepEqual(readdirSync(record.directory).sort(), filesOf(all, 'application'));
  assert.deepEqual(readdirSync(directory).sort(), [applicationsFolder, ...filesOf(all, 'trial')].sort());
});

const filesOf = (all: readonly Series[], of: Series['of']) =>
  all
    .filter(series => series.of === of)
    .map(({ file }) => file)
    .sort();

test('a series that could not be written is an error when they are closed', async () => {
  const series = new SeriesWriter(join(temporaryFolder(), 'gone'));
  series.write<object>(pingSeries, {});
  await assert.rejects(series.close(), { code: 'cannot-write' });
});
