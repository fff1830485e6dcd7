import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { z } from '../../../../core/schema/schema.ts';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import type { ServicePlugin } from '../../../../harness/services/service.ts';
import { checkMachine, type MachineChecks } from '../../../../harness/trial/check.ts';
import type { RunnerRegistries } from '../../../../harness/trial/registries.ts';
import { loadAqms } from '../../../../shaper/aqm/bound-aqm.ts';
import { type Bbr3Budget, bbr3Budgets } from '../../../../shaper/bbr3/telemetry.ts';
import { greedy } from '../studies/pairs/support/study.ts';
import { application } from '../support/record.ts';

const aqms = await loadAqms();
const clip: ServicePlugin<{ cores: number }> = {
  ...(greedy as ServicePlugin),
  params: z.object({ cores: z.number() }),
  cores: ({ cores }) => cores,
};
const flow: ServicePlugin<{ budget: Bbr3Budget }> = {
  ...(greedy as ServicePlugin),
  params: z.object({ budget: z.enum(bbr3Budgets) }),
  neededBbr3: ({ budget }) => budget,
};
const registries: RunnerRegistries = {
  services: new Map([
    ['clip', serviceOf(clip)],
    ['flow', serviceOf(flow)],
  ]),
  aqms,
  tunnels: new Map(),
};

const link = plainLink(10e6, { unit: 'packets', value: 100 }, ['a', 'b']);
const condition = (id: string, service: string, first: object, second: object) => ({
  id,
  title: id,
  baseline: id,
  subject: 'a',
  link,
  applications: [application('a', 'kind', service, first), application('b', 'kind', service, second)],
});
const checked: unknown[] = [];
const checks: MachineChecks = {
  checkService: async ({ params }, backends) => void checked.push([params, backends.length]),
};

test('services are checked once each, and what forms the links is known to them', async () => {
  checked.length = 0;
  const some = { cores: 0.1 };
  await checkMachine(
    [condition('x', 'clip', some, some), condition('y', 'clip', some, { cores: 0 })],
    1,
    registries,
    checks,
  );
  assert.deepEqual(checked, [
    [some, 1],
    [{ cores: 0 }, 1],
  ]);
});

test('what needs two budgets of BBRv3 at once is refused in every kind of study', async () => {
  await assert.rejects(
    checkMachine([condition('x', 'flow', { budget: 'draft' }, { budget: 'kernel' })], 1, registries, checks),
    { code: 'bad-definition', message: /^condition x: a wants BBRv3 with the budget "draft" and condition x: b / },
  );
});

test('with trials at once, so is what needs two budgets in two conditions', async () => {
  const conditions = (['draft', 'kernel'] as const).map(budget => condition(budget, 'flow', { budget }, { budget }));
  await checkMachine(conditions, 1, registries, checks);
  await assert.rejects(checkMachine(conditions, 2, registries, checks), {
    code: 'bad-definition',
    message: /^condition draft: a wants BBRv3 with the budget "draft" and condition kernel: a with "kernel" /,
    hint: 'give them the same bbr3Budget, or set run.parallel to 1',
  });
});

test('too few cores are refused, or told to a study that runs all the same', async () => {
  const crowded = condition('x', 'clip', { cores: 900 }, { cores: 900 });
  await assert.rejects(checkMachine([crowded], 1, registries, checks), CoexistError);
  const told: string[] = [];
  await checkMachine([crowded], 1, registries, { ...checks, onCrowd: message => void told.push(message) });
  assert.match(told.join(), /^condition x: applications: 2 at once \(a, b\) keep about 1800\.0 cores busy/);
});
