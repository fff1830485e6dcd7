/**
 * A trial whose packets travel in a QUIC tunnel: the viewer sees them, nothing goes past it, and nothing is left. Other
 * tunnels and applications, and tunnels that go wrong: tests/long.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { tunnelSeries } from '../../harness/record/series/tunnel.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { studyHasResults } from './support/disturbed.ts';
import { inPlace } from './support/interrupted.ts';
import { checkCarried, definition, inDatagrams, skipWithout } from './support/tunnel-trials.ts';

const name = '0001-datagram';

test('the live clip passes a tunnel in datagrams', { skip: skipWithout('noq') }, context =>
  inPlace(async place => {
    const study = { ...definition, conditions: { datagram: inDatagrams } };
    if (!(await studyHasResults(context, place, study, [name], 120_000))) return;
    const folder = RunFolder.open(place.out);
    const record = new TrialRecord(folder.trialFile(name), folder.trialFolder(name));
    await checkCarried(record);
    assert.match(String(record.own!.tunnel!.facts!['stack']), /^noq 1\./);
    assert.ok((await record.read(tunnelSeries)).some(({ datagramFramesSent }) => datagramFramesSent > 100));
    assert.ok(!existsSync(join(record.directory, 'qlog')));
    assert.deepEqual(await place.namespaces(), []);
  }),
);
