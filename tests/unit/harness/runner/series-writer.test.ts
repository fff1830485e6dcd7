import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrialRecord } from '../../../../harness/record/trial-record.ts';
import { applicationSeries, SeriesWriter, trialSeries } from '../../../../harness/runner/series-writer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { trialFile } from '../support/record.ts';

test('what is written under a name is what the record reads there', async () => {
  const directory = temporaryFolder();
  const own = {
    presented: 'presentedFrames',
    stats: 'stats',
    page: 'page',
    sender: 'sender',
    caller: 'caller',
    service: 'service',
    tcp: 'tcp',
    bbr3: 'bbr3',
    queueMedia: 'mediaQueue',
  } as const;
  const shared = { ping: 'pings', queue: 'queue', queueDelay: 'queueDelay', host: 'host' } as const;
  const record = new TrialRecord(trialFile(), directory);
  mkdirSync(record.directory, { recursive: true });
  const [trial, application] = [
    new SeriesWriter(directory, trialSeries),
    new SeriesWriter(record.directory, applicationSeries),
  ];
  for (const name of Object.keys(shared) as (keyof typeof shared)[]) trial.write(name, { timeMs: 1, name });
  for (const name of Object.keys(own) as (keyof typeof own)[]) application.write(name, { timeMs: 1, name });
  await Promise.all([trial.close(), application.close()]);
  assert.deepEqual(
    [readdirSync(directory).length, readdirSync(record.directory).length],
    [Object.keys(shared).length + 1, Object.keys(own).length],
  );
  for (const [name, method] of Object.entries({ ...shared, ...own }))
    assert.deepEqual(await record[method](), [{ timeMs: 1, name }]);
  assert.deepEqual(await record.as('flood').tcp(), [], 'an application has its own');
});

test('a series that could not be written is an error when they are closed', async () => {
  const series = new SeriesWriter(join(temporaryFolder(), 'gone'), trialSeries);
  series.write('host', {});
  await assert.rejects(series.close(), { code: 'cannot-write' });
});
