import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureNoiseFloor } from '../../../../harness/queue/machine/noise-floor.ts';
import { type FloorTrial, judgeNoiseFloor, readNoiseFloor } from '../../../../harness/queue/noise-floor.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import type { Planned } from '../../../../harness/studies/planner/planner.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import type { StudyOptions } from '../../../../harness/trial/study.ts';
import { temporaryFolder } from '../support/folder.ts';
import { versions, voided } from '../support/run-folder.ts';
import { fileOfPlanned } from './support/tiny.ts';

const quiet: FloorTrial = { status: 'valid', reasons: [], stallS: 0 };
const busy: FloorTrial = { status: 'invalid', reasons: ['the machine was 99 % busy'], stallS: null };

test('a machine passes where no stream stalls and at most one trial of three is void', () => {
  assert.deepEqual(judgeNoiseFloor([quiet, quiet, quiet]), { passed: true, said: 'no stall in 3 trials' });
  assert.deepEqual(judgeNoiseFloor([quiet, busy, { ...quiet, status: 'degraded' }]), {
    passed: true,
    said: 'no stall in 2 trials',
  });
  assert.deepEqual(judgeNoiseFloor([quiet, busy, busy]), {
    passed: false,
    said: '2 of 3 trials were void: the machine was 99 % busy',
  });
  assert.deepEqual(judgeNoiseFloor([quiet, { ...quiet, stallS: 0.25 }, { ...quiet, stallS: 0.5 }]), {
    passed: false,
    said: 'the stream stalled for 0.8 s in 2 of 3 trials',
  });
  assert.equal(judgeNoiseFloor([]).passed, false);
  assert.equal(judgeNoiseFloor([{ ...quiet, stallS: null }]).passed, false);
  assert.equal(readNoiseFloor(null), undefined);
  assert.deepEqual(readNoiseFloor({ passed: true, said: 'x' }), { passed: true, said: 'x' });
});

/** Returns a machine on which every trial ends at once. */
function machine(verdict: TrialFile['verdict']) {
  const parent = temporaryFolder();
  const [seen, started]: string[][] = [[], []];
  const by = {
    check: () => Promise.resolve(),
    async run({ planner, folder }: StudyOptions) {
      for (let planned: Planned | undefined = planner.next(); planned !== undefined; planned = planner.next()) {
        seen!.push(planned.trial.id);
        const file = { ...fileOfPlanned('noise-floor', { planned, attempt: 1 }), verdict };
        folder.commit(folder.begin(planned.trial.id), file);
        assert.equal(await planner.take(planned, file), false, 'nothing is run again');
      }
    },
    stalledS: () => Promise.resolve(0),
  };
  const measure = async (code: string) =>
    measureNoiseFloor({
      registries: await loadRegistries(),
      software: { versions, files: {} },
      code,
      parent,
      signal: new AbortController().signal,
      onStart: () => started!.push(code),
      by,
    });
  return { parent, seen: seen!, started: started!, measure };
}

test('a floor that does not pass is measured each time, with its reasons; its trials are removed', async () => {
  const { parent, seen, started, measure } = machine(voided);
  for (const times of [1, 2]) {
    assert.deepEqual(await measure('1.0.0/a'), {
      passed: false,
      said: '3 of 3 trials were void: the machine was 99 % busy',
    });
    assert.deepEqual([seen.length, started.length], [3 * times, times]);
  }
  assert.deepEqual(readdirSync(join(parent, 'trials')), []);
  assert.equal(existsSync(join(parent, 'noise-floor.json')), false);
});

test('a floor that passed is kept for the same code, and measured again where that or the file is another', async () => {
  const { parent, seen, started, measure } = machine({ status: 'valid', findings: [] });
  assert.deepEqual(await measure('1.0.0/a'), { passed: true, said: 'no stall in 3 trials' });
  assert.deepEqual(await measure('1.0.0/a'), { passed: true, said: 'no stall in 3 trials' });
  assert.deepEqual([seen.length, started], [3, ['1.0.0/a']]);
  await measure('1.0.0/b');
  assert.equal(seen.length, 6);
  const file = join(parent, 'noise-floor.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"atMs":\d+/, `"atMs":${Date.now() - 25 * 3600e3}`));
  await measure('1.0.0/b');
  assert.equal(seen.length, 9, 'it is more than a day old');
  writeFileSync(file, '{"key":');
  await measure('1.0.0/b');
  assert.equal(seen.length, 12);
});
