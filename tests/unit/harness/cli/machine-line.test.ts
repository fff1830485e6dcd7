import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOfPrograms, machineWords } from '../../../../harness/cli/machine-line.ts';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan } from '../../../../harness/definition/plan.ts';
import { smallerFrames } from '../../../../harness/studies/experiment/smaller-frames.ts';
import { coresKeptBusy } from '../../../../harness/trial/check.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const busy = {
  cores: 2,
  busyCores: 1.34,
  programs: [
    { name: 'cc1', cores: 0.8 },
    { name: 'node', cores: 0.5 },
  ],
};
const small = { cores: 0.5, mend: () => undefined };
const planOf = (changes: Partial<ExperimentDefinition> = {}) =>
  makePlan(
    'study',
    {
      title: 'T',
      question: 'Q?',
      source: 'own',
      link: { rate: '40mbit', queue: { limit: '250ms' } },
      service: { id: 'live-clip' },
      ...changes,
    },
    registries,
  );

test('who else uses the processors, and what that means for the trials', () => {
  assert.equal(
    machineWords(busy, { ...small, precedence: true }),
    '2 other programs (cc1, node) use 1.3 of 2 cores; trials take precedence',
  );
  assert.equal(
    machineWords(busy, { ...small, precedence: false }),
    '2 other programs (cc1, node) use 1.3 of 2 cores; they may make tries void',
  );
  assert.match(
    machineWords({ ...busy, programs: busy.programs.slice(0, 1) }, { ...small, precedence: true }),
    /^1 other program \(cc1\) uses 1\.3 of 2 cores;/,
  );
  assert.match(
    machineWords({ ...busy, programs: [] }, { ...small, precedence: true }),
    /^other programs use 1\.3 of 2/,
  );
});

test('a quiet machine is said to be one, and only some names are told', () => {
  assert.equal(
    machineWords({ cores: 2, busyCores: 0.04, programs: [] }, { ...small, precedence: false }),
    'other programs use next to nothing of 2 cores',
  );
  const many = 'abcde'.split('').map(name => ({ name, cores: 0.2 }));
  assert.match(
    machineWords({ ...busy, programs: many }, { ...small, precedence: true }),
    /^5 other programs \(a, b, c and more\)/,
  );
  const hostile = [{ name: 'a\u001b[2Jb', cores: 1 }];
  assert.ok(!machineWords({ ...busy, programs: hostile }, { ...small, precedence: true }).includes('\u001b'));
});

test('where the trials need more than they get, the change that helps is offered', () => {
  const mend = (most: number) => `--set x=${most.toFixed(1)}`;
  assert.match(
    machineWords(busy, { precedence: false, cores: 1.36, mend }),
    /\ntoo large for this machine: trials need about 1\.4 cores and get 0\.7, so tries may be void; close other programs, or make its frames smaller with --set x=0\.7$/,
  );
  assert.doesNotMatch(machineWords(busy, { precedence: true, cores: 1.36, mend }), /too large/, 'they take precedence');
  assert.match(
    machineWords(busy, { precedence: false, cores: 1.36, mend: () => undefined }),
    /get 0\.7, so tries may be void; close other programs$/,
  );
  assert.match(
    machineWords(busy, { precedence: false, cores: 2.3, mend: most => (most < 2 ? undefined : mend(most)) }),
    /or make its frames smaller with --set x=2\.0$/,
    'no frames fit beside the others',
  );
  assert.match(
    machineWords(busy, { precedence: true, cores: 2.3, mend: () => undefined }),
    /get 2\.0, so tries may be void; make the study smaller$/,
  );
});

test('the largest frames that fit are offered, and none where the stream has none or no size fits', () => {
  const plan = planOf({ service: { id: 'live-clip', width: 1920, height: 1080 } });
  const needs = (width: number, height: number) =>
    coresKeptBusy(planOf({ service: { id: 'live-clip', width, height } }).conditions, 1, registries);
  assert.ok(needs(1920, 1080) > 2 && needs(1280, 720) < 2);
  assert.equal(smallerFrames(plan, registries, 2), '--set service.width=1280 --set service.height=720');
  assert.equal(smallerFrames(plan, registries, needs(640, 360)), '--set service.width=640 --set service.height=360');
  assert.equal(smallerFrames(plan, registries, 0.1), undefined);
  assert.equal(smallerFrames(planOf({ service: { id: 'iperf' } }), registries, 2), undefined);
});

test('several trials at once need as much as all of them', () => {
  const { conditions } = planOf();
  assert.equal(coresKeptBusy(conditions, 3, registries), 3 * coresKeptBusy(conditions, 1, registries));
});

test('who interrupts while the load is measured gets the reason of that, no error of a timer', async () => {
  const stop = new AbortController();
  const load = loadOfPrograms(stop.signal);
  stop.abort(new Error('interrupted'));
  await assert.rejects(load, /^Error: interrupted$/);
});
