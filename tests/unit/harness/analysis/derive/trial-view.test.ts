import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrialView } from '../../../../../harness/analysis/derive/trial-view.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, startMs, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const pings = (rttMs: number) =>
  every(200, startMs, endMs - 200).map((timeMs, sequence) => ({ timeMs, sequence, rttMs }));

test('a view made anew reads anew, and keeps nothing of what the other was asked', async () => {
  const directory = join(folder, 'anew');
  const view = new TrialView(writeRecord(directory, { ping: pings(20) }));
  const meanMs = async (of: TrialView) => {
    const { rttsMs } = await of.pingRoundTrips();
    return rttsMs.reduce((sum, rttMs) => sum + rttMs, 0) / rttsMs.length;
  };
  assert.equal(await meanMs(view), 20);
  writeFileSync(
    join(directory, 'ping.jsonl'),
    pings(30)
      .map(line => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  assert.equal(await meanMs(view), 20);
  assert.equal(await meanMs(view.anew()), 30);
});

test('a view made anew is of the same application', async () => {
  const record = writeRecord(join(folder, 'application'), {
    tcp: every(1000, startMs, endMs).map(time => tcp(time, 'receiver', 9, { bytesReceived: time })),
  });
  const view = new TrialView(record);
  assert.equal((await view.anew().othersBytes()).length, 1);
  const flood = new TrialView(record.as('flood'));
  assert.equal(flood.anew().application.name, 'flood');
  assert.deepEqual(await flood.anew().othersBytes(), [[]]); // the stream beside the flood told nothing
  assert.deepEqual(flood.anew().window, flood.window);
});
