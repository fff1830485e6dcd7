/**
 * One CUBIC flow over long links, on a machine whose TCP buffers are far too small for them (net.ipv4.tcp_wmem, which
 * new namespaces inherit): the flow fills the link all the same, or the trial says what held it back.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';

const setting = '/proc/sys/net/ipv4/tcp_wmem';
const leastUtilisation = 0.97;

const links = [
  { rate: '40mbit', rtt: '100ms', startUp: '5s', window: '5s' },
  { rate: '100mbit', rtt: '400ms', startUp: '12s', window: '6s' },
];

describe('socket buffers', { skip: cannotRun ?? false }, () => {
  const found = readFileSync(setting, 'utf8');
  before(() => writeFileSync(setting, '4096 16384 65536'));
  after(() => writeFileSync(setting, found));

  for (const { rate, rtt, startUp, window } of links)
    test(`${rate} and ${rtt} are filled by one flow`, async t => {
      const place = new Place();
      t.after(() => place.remove());
      const study = join(place.path, 'study.json');
      writeFileSync(
        study,
        JSON.stringify({
          title: 'One flow',
          question: 'Does it fill the link?',
          source: 'own',
          link: { rate, rtt, queue: { limit: '1bdp' } },
          applications: { bulk: { service: { id: 'iperf', congestionControl: 'cubic' } } },
          subject: 'bulk',
          run: { window, startUp },
        }),
      );
      const { status, stdout, stderr } = await place.start(['experiment', study, '--out', place.out]).finish(300_000);
      assert.equal(status, 0, stdout + stderr);
      const read = <T>(path: string) => JSON.parse(readFileSync(join(place.out, path), 'utf8')) as T;
      const [condition] = read<Summary>('summary.json').conditions;
      const { value } = condition!.metrics['link-utilisation']!;
      const trial = place.trials().find(name => !name.includes('.void'))!;
      const { settings, verdict } = read<TrialFile>(join('trials', trial, 'trial.json'));
      assert.deepEqual(settings!.differences, []);
      const says = verdict.findings.map(({ message }) => message);
      t.diagnostic(`${value}; ${says.join('; ')}`);
      assert.ok(
        value! >= leastUtilisation ||
          says.some(message => /of its time for|of its rate while packets waited/.test(message)),
        `the flow took ${value} of the link, and the trial says: ${says.join('; ')}`,
      );
    });
});
