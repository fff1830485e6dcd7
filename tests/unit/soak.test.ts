/** What a soak calls wrong: something new on the machine, an amount that grew, a command that ended badly. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import { loadStudy } from '../../harness/definition/load.ts';
import { makePlan } from '../../harness/definition/plan.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import type { Place } from '../e2e/support/run-command.ts';
import { someTreatment, treatments, wordsOf, wrongEnd, wrongEndAfter } from '../soak/cycles.ts';
import { amountsOfMachine, namespacesInUse, newThings, numbered, thingsOfMachine } from '../soak/machine.ts';
import { studies } from '../soak/studies.ts';
import { growth } from '../soak/trend.ts';
import { temporaryFolder } from './harness/support/folder.ts';

test('what is new is told by name, and what went is not', () => {
  const before = { mounts: new Set(['/', '/proc']), devices: new Set(['lo']) };
  assert.deepEqual(newThings(before, before), []);
  const now = { mounts: new Set(['/']), devices: new Set(['lo', 'b', 'a']), files: new Set(['/tmp/x']) };
  assert.deepEqual(newThings(before, now), ['devices: a, b', 'files: /tmp/x']);
});

test('a rule of the firewall that is there twice is two', () => {
  const before = { rules: new Set(numbered(['-P INPUT ACCEPT'])) };
  const now = { rules: new Set(numbered(['-P INPUT ACCEPT', '  drop', '  drop'])) };
  assert.deepEqual(newThings(before, now), ['rules: drop, drop (2)']);
  assert.deepEqual(newThings({ rules: new Set(numbered(['drop', 'drop'])) }, { rules: new Set(['drop']) }), []);
});

test('every service with a program or a browser of its own is soaked', async () => {
  const place = { path: temporaryFolder() } as Place;
  const registries = await loadRegistries();
  const soaked = new Set<string>();
  for (const study of studies.filter(({ command }) => command === 'experiment')) {
    const [, name, ...words] = wordsOf(study, place, 'out');
    if (!name!.endsWith('.json')) continue;
    assert.deepEqual(words, ['--out', 'out']);
    const { definition } = await loadStudy(name!);
    for (const { applications } of makePlan('study', definition, registries).conditions)
      for (const { service } of applications) soaked.add(service.id);
  }
  const [online] = studies.filter(({ isOnline }) => isOnline).map(study => wordsOf(study, place, 'out'));
  soaked.add((JSON.parse(readFileSync(online![2]!, 'utf8')) as { service: { id: string } }).service.id);
  soaked.add('iperf'); // in floods and games
  assert.deepEqual(
    [...registries.services.keys()].filter(id => !soaked.has(id)),
    [],
  );
  assert.deepEqual(wordsOf(studies.find(({ command }) => command === null)!, place, 'out').slice(0, 2), [
    'demo',
    '--xvfb',
  ]);
});

test('this machine has mounts and devices, and memory of its kernel', async () => {
  const things = await thingsOfMachine('/nowhere', namespacesInUse());
  assert.ok(things['mounts']!.has('/proc'));
  assert.ok(things['network devices']!.has('/sys/class/net/lo'));
  assert.deepEqual([...things['processes in other network namespaces']!], []);
  const { kernelMemoryMiB, openFiles } = amountsOfMachine();
  assert.ok(kernelMemoryMiB > 1 && openFiles > 1);
});

test('an amount has grown where its last third lies above its first, by more than is allowed', () => {
  const tolerance = { ratio: 0.1, amount: 5 };
  const steady = [10, 14, 10, 11, 13, 10, 12, 10, 13];
  assert.equal(growth(steady, tolerance).grew, false);
  assert.deepEqual(growth([10, 10, 10, 12, 14, 15, 16, 16, 17], tolerance), { from: 10, to: 16, grew: true });
  assert.equal(growth([100, 100, 105, 108, 109, 109], tolerance).grew, false, 'within a tenth');
  assert.equal(growth([1, 100], tolerance).grew, false, 'too few to tell');
  assert.equal(growth([], tolerance).grew, false);
});

test('an end is wrong by its status, a stack trace, or a warning of Node', () => {
  const end = { status: 0, signal: null, stdout: '', stderr: '' };
  assert.deepEqual(wrongEnd(end, [0, 3]), []);
  assert.equal(wrongEnd({ ...end, status: 1, stderr: 'coexist: no\n' }, [0, 3]).length, 1);
  assert.match(wrongEnd({ ...end, status: null, signal: 'SIGKILL' }, [0])[0]!, /ended with SIGKILL, not 0/);
  const trace = 'Error: x\n    at Lane.run (file:///a/harness/trial/lane.ts:12:3)\n';
  assert.match(wrongEnd({ ...end, stderr: trace }, [0])[0]!, /stack trace/);
  assert.match(wrongEnd({ ...end, stderr: '(node) MaxListenersExceededWarning: 11' }, [0])[0]!, /warning of Node/);
});

test('a signal itself may end a study that has nothing yet, or nothing any more, and no other', () => {
  const end = { status: null, signal: 'SIGINT', stdout: '', stderr: '' } as const;
  assert.deepEqual(wrongEndAfter('SIGINT', end, 0), []);
  assert.deepEqual(wrongEndAfter('SIGINT', { ...end, stdout: 'controls: ...\nit runs: 40 Mbit/s\n' }, 0), []);
  assert.deepEqual(wrongEndAfter('SIGINT', { ...end, stdout: 'plan\nreport:  /tmp/report.html\n' }, 0), []);
  assert.deepEqual(wrongEndAfter('SIGINT', { ...end, status: 130, signal: null, stderr: 'coexist: ended\n' }, 0), []);
  assert.equal(wrongEndAfter('SIGINT', end, 1).length, 1);
  for (const other of [
    { stdout: 'plan\n' },
    { stderr: 'coexist: ended\n' },
    { signal: 'SIGTERM' },
    { signal: 'SIGKILL' },
    { signal: null },
    { status: 1, signal: null },
  ] as const)
    assert.equal(wrongEndAfter('SIGINT', { ...end, ...other }, 0).length, 1, JSON.stringify(other));
});

test('every treatment comes, as often as its weight says', () => {
  const random = seededRandom(12);
  const all = treatments.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = Array.from({ length: 4000 }, () => someTreatment(random));
  for (const { treat, weight } of treatments) {
    const share = chosen.filter(one => one === treat).length / chosen.length;
    assert.ok(Math.abs(share - weight / all) < 0.03, `${treat.name}: ${share}`);
  }
});
