import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { serviceOf } from '../../../../../harness/services/bound-service.ts';
import { plugin } from '../../../../../harness/services/iperf/index.ts';
import type { Params } from '../../../../../harness/services/iperf/params.ts';
import type { ServicePlugin } from '../../../../../harness/services/service.ts';
import { checkGame } from '../../../../../harness/studies/game/check.ts';
import type { Capabilities } from '../../../../../shaper/backend/capabilities.ts';
import { gamePlan, registries, twoFlows } from './support.ts';

const there = () => Promise.resolve(null);
/** Capabilities of a kernel that has everything. */
const can: Capabilities = {
  qdisc: there,
  netem: there,
  line: there,
  loss: there,
  shells: there,
  shellsAround: there,
  queueLog: there,
};

/** Returns registries in which iperf3 has these changes. */
function withIperf(change: Partial<ServicePlugin<Params>>) {
  const iperf = serviceOf({ ...plugin, check: () => Promise.resolve(), ...change });
  return { ...registries, services: new Map([...registries.services, ['iperf', iperf]]) };
}

function asRoot(context: TestContext, id = 0): void {
  context.mock.method(process as { getuid(): number }, 'getuid', () => id);
}

const isOneLine = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CoexistError);
  assert.match(error.message, message);
  assert.ok(!error.message.includes('\n'), error.message);
  return true;
};

test('every strategy is checked as all play it, and all of them beside each other', async context => {
  asRoot(context);
  const checked: unknown[] = [];
  const plan = gamePlan({ ...twoFlows, groups: { all: { players: 3, link: { rtt: '40ms' } } } });
  const check = ({ congestionControl, flows }: { congestionControl: string; flows: number }) => {
    checked.push([congestionControl, flows]);
    return Promise.resolve();
  };
  await checkGame(plan, withIperf({ check }), false, can);
  assert.deepEqual(checked, [
    ['cubic', 3],
    ['bbr', 3],
    ['cubic', 2],
    ['bbr', 1],
  ]);
});

test('strategies that cannot run beside each other: one line, before anything starts', async context => {
  asRoot(context);
  const strategies = {
    cubic: twoFlows.strategies['cubic']!,
    draft: { service: { id: 'iperf', congestionControl: 'bbr3' } },
    kernel: { service: { id: 'iperf', congestionControl: 'bbr3', bbr3Budget: 'kernel' } },
  };
  await assert.rejects(
    checkGame(gamePlan({ ...twoFlows, strategies }), withIperf({}), false, can),
    isOneLine(/budget/i),
  );
});

test('a strategy that cannot run: one line, before anything starts', async context => {
  asRoot(context);
  const check = ({ congestionControl }: { congestionControl: string }) =>
    congestionControl === 'bbr'
      ? Promise.reject(new CoexistError('missing-program', 'this kernel has no congestion control "bbr"'))
      : Promise.resolve();
  await assert.rejects(
    checkGame(gamePlan(twoFlows), withIperf({ check }), false, can),
    isOneLine(/^this kernel has no congestion control "bbr"$/),
  );
});

test('players who are too much for the machine are told by their strategy', async context => {
  asRoot(context);
  await assert.rejects(
    checkGame(gamePlan(twoFlows), withIperf({ cores: () => 1000 }), false, can),
    isOneLine(/^condition all cubic: applications: 2 at once \(near-cubic, far-cubic\) keep about 2000\.0 cores busy/),
  );
});

test('a window that a strategy cannot fill, and a user who is not root', async context => {
  const plan = gamePlan(twoFlows);
  asRoot(context);
  await assert.rejects(
    checkGame(plan, withIperf({ longestMs: () => 1000 }), false, can),
    isOneLine(/^iperf3 ends after 1 s, before the end of a trial$/),
  );
  context.mock.restoreAll();
  asRoot(context, 1000);
  await assert.rejects(checkGame(plan, registries, false, can), isOneLine(/^a game needs root/));
});
