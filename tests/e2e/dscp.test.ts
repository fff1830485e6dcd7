/** An application's DSCP, from its hosts through the emulator to the record. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { cannotRun, Place } from './support/run-command.ts';

const study = {
  title: 'DSCP',
  question: 'Does the link keep it?',
  source: 'own',
  link: { rate: '10mbit', queue: { limit: '100ms' }, up: { rate: '10mbit', queue: { limit: '100ms' } } },
  applications: {
    marked: { service: { id: 'iperf', congestionControl: 'cubic' }, dscp: 46 },
    plain: { service: { id: 'iperf', congestionControl: 'cubic' } },
  },
  subject: 'marked',
  conditions: { both: { title: 'Both' } },
  run: { window: '2s', repeats: 1, preflight: false, retries: 6 },
};

describe('the DSCP of an application', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  test('packets have it at the bottleneck in both directions, and the record says so', async () => {
    const file = join(place.path, 'dscp.json');
    writeFileSync(file, JSON.stringify(study));
    const ended = await place.run(['experiment', file, '--out', place.out, '--json']);
    assert.ok(ended.status === 0 || ended.status === 3, ended.stderr);
    const { condition, queueLog } = RunFolder.open(place.out).trialFile('0001-both');
    assert.equal(condition.applications[0]!.dscp, 46);
    const tcp = queueLog!.marks!.filter(({ protocol }) => protocol === 6);
    for (const [name, dscp] of [
      ['marked', 46],
      ['plain', 0],
    ] as const)
      for (const direction of [undefined, 'up'] as const) {
        const own = tcp.find(marks => marks.application === name && marks.direction === direction);
        assert.deepEqual(
          own?.dscps.map(each => each.dscp),
          [dscp],
          `${name} ${direction ?? 'down'}`,
        );
      }
  });
});
