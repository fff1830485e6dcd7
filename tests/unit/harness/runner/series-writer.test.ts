import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrialRecord } from '../../../../harness/record/trial-record.ts';
import { SeriesWriter } from '../../../../harness/runner/series-writer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { trialFile } from '../support/record.ts';

test('what is written under a name is what the record reads there', async () => {
  const directory = temporaryFolder();
  const series = new SeriesWriter(directory);
  const names = { presented: 'presentedFrames', stats: 'stats', page: 'page', sender: 'sender', caller: 'caller', service: 'service', ping: 'pings', tcp: 'tcp', bbr3: 'bbr3', queue: 'queue', queueDelay: 'queueDelay', host: 'host' } as const;
  for (const name of Object.keys(names) as (keyof typeof names)[]) series.write(name, { timeMs: 1, name });
  await series.close();
  assert.equal(readdirSync(directory).length, Object.keys(names).length);
  const record = new TrialRecord(trialFile(), directory);
  for (const [name, method] of Object.entries(names)) assert.deepEqual(await record[method](), [{ timeMs: 1, name }]);
});

test('a series that could not be written is an error when they are closed', async () => {
  await assert.rejects(new SeriesWriter(join(temporaryFolder(), 'gone')).close(), { code: 'cannot-write' });
});
