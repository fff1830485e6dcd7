/** Studies in pairs and games over machines that are reached by ssh, as small as they can be. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { gameFormat } from '../../harness/studies/game/plan.ts';
import { pairsFormat } from '../../harness/studies/pairs/plan.ts';
import type { StudyPlan } from '../../harness/studies/study.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { Place } from '../e2e/support/run-command.ts';
import { noLab, SshLab } from './support/ssh-lab.ts';

const flow = (congestionControl: string) => ({ service: { id: 'iperf', congestionControl } });
const studies = [
  {
    kind: 'pairs',
    format: pairsFormat,
    definition: {
      title: 'Itself',
      services: [{ name: 'flow', ...flow('cubic') }],
      links: ['8mbit'],
      run: { window: '4s', warmUp: '2s', coolDown: '0s', stopping: 'fixed', repeats: 1, soloRepeats: 1, retries: 2 },
    },
    trials: ['8mbit-flow-alone-001', '8mbit-flow-and-flow-001'],
  },
  {
    kind: 'game',
    format: gameFormat,
    definition: {
      title: 'One state',
      question: 'Does a game run there?',
      source: 'own',
      link: { rate: '20mbit', rtt: '20ms', queue: { limit: '2bdp' } },
      groups: { all: { players: 2 } },
      strategies: { cubic: flow('cubic'), reno: flow('reno') },
      states: [{ all: { cubic: 1, reno: 1 } }],
      run: { window: '5s', leaveOut: '3s', most: 1, retries: 2 },
    },
    trials: ['1cubic-1reno-001'],
  },
];

describe('other kinds of study over ssh', { skip: noLab }, () => {
  let lab: SshLab;
  const places: Place[] = [];
  before(async () => {
    lab = await SshLab.build(2);
  });
  after(async () => {
    for (const place of places) place.remove();
    await lab?.remove();
  });
  beforeEach(() => lab.waitUntilEmpty(10_000));

  for (const { kind, format, definition, trials } of studies)
    test(`${kind}: every trial ran on the machines of the lab, one at a time`, async context => {
      const place = new Place();
      places.push(place);
      const file = join(place.path, 'study.json');
      writeFileSync(file, JSON.stringify(definition));
      const session = place.start([kind, file, '--hosts', lab.hostsFile(), '--out', place.out], {}, lab.onDesk);
      const { status, stdout, stderr } = await session.finish(240_000);
      await lab.waitUntilEmpty(5000);
      const disturbed = status === 3 ? disturbedBy(place.out, trials) : undefined;
      if (disturbed !== undefined) return context.skip(disturbed);
      assert.equal(status, 0, stdout + stderr);
      const folder = RunFolder.open<StudyPlan>(place.out, format);
      assert.deepEqual(folder.trialNames().sort(), trials);
      for (const name of trials) {
        const { hosts, applications } = folder.trialFile(name);
        assert.deepEqual(
          hosts!.map(one => one.name),
          ['shaper', 'left', 'left-2', 'right', 'right-2'],
        );
        assert.ok(applications.every(({ addresses }) => addresses.server.startsWith('10.77.')));
      }
    });
});
