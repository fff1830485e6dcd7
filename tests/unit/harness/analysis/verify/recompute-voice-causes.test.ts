/** Tests the causes of interruptions that the second implementation finds, on simulated calls with faults. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type InterruptionCause, interruptionCauseIds } from '../../../../../core/vocabulary/interruption.ts';
import { plugin as voiceCause } from '../../../../../harness/analysis/metrics/voice-cause/index.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { Call } from '../../../../sim/listening/call.ts';
import { callOf, kinds } from '../../../../sim/listening/faults.ts';
import { Listener } from '../../../../sim/listening/listener.ts';
import { writeCall } from '../../../../sim/listening/record.ts';
import { type Summary, writeRun } from './hand-made.ts';
import { skip, verified } from './verifier.ts';

const idOf = (cause: InterruptionCause) => `voice-interrupted-by-${cause}`;
const zeros = Object.fromEntries(interruptionCauseIds.map(cause => [idOf(cause), 0]));
const trialsInRun = 12;
const faultsInCall = 2;

describe('causes of interruptions recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));

  /** Writes calls with these kinds of faults, one in each trial, and what the metric says of each. */
  async function runOf(name: string, some: typeof kinds) {
    const path = join(place, name);
    let trials: Summary['trials'] = [];
    const write = () =>
      writeRun(path, {
        stated: zeros,
        spoil: summary => {
          for (const [i, { metrics }] of trials.entries()) Object.assign(summary.trials[i]!.metrics!, metrics);
          trials = summary.trials;
        },
      });
    write();
    for (const [i, kind] of some.entries()) {
      const { name: trial, condition } = trials[i]!;
      const call = new Call(callOf(kind, 500 + kinds.indexOf(kind), faultsInCall));
      const record = writeCall(join(path, 'trials', trial), call, new Listener(call));
      Object.assign(trials[i]!.metrics!, await voiceCause.compute(record));
      writeTrial(record, trial, condition);
    }
    const stated = trials.map(({ metrics }) => ({ ...metrics }));
    const state = (change: (all: typeof stated) => void) => {
      const all = structuredClone(stated);
      change(all);
      const file = join(path, 'summary.json');
      const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary;
      for (const [i, trial] of summary.trials.entries()) trial.metrics = all[i]! as Record<string, number>;
      writeFileSync(file, JSON.stringify(summary));
    };
    state(() => {});
    return { path, stated, state };

    function writeTrial({ file }: TrialRecord, trial: string, id: string): void {
      writeFileSync(
        join(path, 'trials', trial, 'trial.json'),
        JSON.stringify({ ...file, condition: { ...file.condition, id } }),
      );
    }
  }

  /** Returns the causes whose shares differ, of this many calls. */
  async function differing(path: string, calls: number): Promise<string[]> {
    const rows = (await verified(path)).rows.filter(({ metric, place: of }) => metric in zeros && /^0\d+-/.test(of));
    assert.equal(rows.length, calls * interruptionCauseIds.length);
    return rows
      .filter(({ differs }) => differs)
      .map(({ metric, place: of, ours, low, high }) => `${metric} of ${of}: ${ours}, not ${low} to ${high}`);
  }

  for (let from = 0; from < kinds.length; from += trialsInRun) {
    const some = kinds.slice(from, from + trialsInRun);
    test(`the causes of ${some.length} kinds of faults are the same in both programs`, async () => {
      const { path, stated } = await runOf(`kinds-${from}`, some);
      for (const [i, kind] of some.entries())
        assert.ok(
          interruptionCauseIds.some(cause => (stated[i]![idOf(cause)] ?? 0) > 0),
          `${kind.what} interrupts the voice`,
        );
      assert.deepEqual(await differing(path, some.length), []);
    });
  }

  test('a false cause, and a damaged record, are found', async () => {
    const small = kinds.filter(({ what }) => what === 'a small queue that a flood keeps full');
    const { path, stated, state } = await runOf('false', small);
    const share = stated[0]![idOf('overflow-loss')]!;
    assert.ok(share > 0);
    state(([first]) => Object.assign(first!, { [idOf('overflow-loss')]: 0, [idOf('aqm-loss')]: share }));
    const asOf = (found: readonly string[]) => found.map(row => row.split(' of ')[0]);
    assert.deepEqual(asOf(await differing(path, 1)), [idOf('overflow-loss'), idOf('aqm-loss')]);
    state(() => {});
    assert.deepEqual(await differing(path, 1), []);
    const log = join(path, 'trials/0001-base/applications/service/queue.media.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll('"overflow"', '"aqm"'));
    assert.deepEqual(asOf(await differing(path, 1)), [idOf('overflow-loss'), idOf('aqm-loss')]);
  });
});
