/** What a soak calls wrong: something new on the machine, an amount that grew, a command that ended badly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import { someTreatment, treatments, wrongEnd } from '../soak/cycles.ts';
import { amountsOfMachine, namespacesInUse, newThings, thingsOfMachine } from '../soak/machine.ts';
import { growth } from '../soak/trend.ts';

test('what is new is told by name, and what went is not', () => {
  const before = { mounts: new Set(['/', '/proc']), devices: new Set(['lo']) };
  assert.deepEqual(newThings(before, before), []);
  const now = { mounts: new Set(['/']), devices: new Set(['lo', 'b', 'a']), files: new Set(['/tmp/x']) };
  assert.deepEqual(newThings(before, now), ['devices: a, b', 'files: /tmp/x']);
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
  const trace = 'Error: x\n    at Lane.run (file:///a/harness/runner/lane.ts:12:3)\n';
  assert.match(wrongEnd({ ...end, stderr: trace }, [0])[0]!, /stack trace/);
  assert.match(wrongEnd({ ...end, stderr: '(node) MaxListenersExceededWarning: 11' }, [0])[0]!, /warning of Node/);
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
