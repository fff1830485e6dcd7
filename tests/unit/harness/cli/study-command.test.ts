import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { CoexistError } from '../../../../core/errors.ts';
import { noEstimate } from '../../../../core/vocabulary/estimate.ts';
import type { Outcome } from '../../../../harness/analysis/gate/judge.ts';
import { conclude } from '../../../../harness/cli/run-study.ts';
import { runStudyCommand, stamp } from '../../../../harness/cli/study-command.ts';
import { loadKinds } from '../../../../harness/studies/kinds.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a run is stamped with the time in UTC, fit for a file name', () => {
  assert.equal(stamp(new Date('2026-11-20T10:39:05.678Z')), '2026-11-20T10-39-05Z');
  assert.equal(stamp(new Date('2026-01-02T03:04:05+05:00')), '2026-01-01T22-04-05Z');
  assert.doesNotMatch(stamp(new Date(0)), /[^\w-]/);
});

test('a run ends with the paths of its results, also where it missed a threshold or has no result of a trial', () => {
  const kept: Outcome = {
    metric: 'm',
    condition: 'c',
    bound: 'atMost',
    limit: 1,
    judge: 'median',
    measured: noEstimate,
    kept: true,
    note: null,
  };
  const summary = { thresholds: [kept] };
  const finished = { summary, summaryPath: 's.json', reportPath: 'r.html', lines: ['missed'], missing: null };
  const refused = { summary: { thresholds: [{ ...kept, kept: false }] } };
  /** Returns the output of `conclude`, and its exit status or the code of its error. */
  const concluded = (change: object, json?: string) => {
    const out = new PassThrough();
    const say = (text: string) => void out.write(`said: ${text}\n`);
    let end: unknown;
    try {
      end = conclude({ ...finished, ...change }, { json, say, again: 'again' }, out);
    } catch (error) {
      end = (error as CoexistError).code;
    }
    return [String(out.read()), end];
  };
  const text = 'said: missed\nsummary: s.json\nreport:  r.html\n';
  assert.deepEqual(concluded({}), [text, 0]);
  assert.deepEqual(concluded(refused), [text, 'thresholds-missed']);
  assert.deepEqual(concluded({ missing: 'one of two', ...refused }), [text, 'trials-failed']);
  assert.deepEqual(concluded(refused, '-'), [
    `said: missed\n${JSON.stringify(refused.summary)}\n`,
    'thresholds-missed',
  ]);
  // the file is written, and the paths are printed, even if an error follows
  const file = join(temporaryFolder(), 'result.json');
  assert.deepEqual(concluded(refused, file), [`${text}json:    ${file}\n`, 'thresholds-missed']);
  assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify(refused.summary)}\n`);
});

test('what another try would not change is not advised to be run again', () => {
  const hint = (advice?: object) => {
    try {
      conclude(
        { summary: { thresholds: [] }, summaryPath: 's', reportPath: 'r', lines: [], missing: 'one of two', ...advice },
        { json: undefined, say: () => {}, again: 'npm run again' },
        new PassThrough(),
      );
      return undefined;
    } catch (error) {
      return (error as CoexistError).hint;
    }
  };
  assert.equal(hint(), 'the report says why (r); run them again with: npm run again');
  assert.equal(
    hint({ advice: { words: ['another rate helps'], all: true } }),
    'the report says why (r); another rate helps',
  );
  assert.equal(
    hint({ advice: { words: ['another rate helps'], all: false } }),
    'the report says why (r); another rate helps; run them again with: npm run again',
  );
});

test('--seed is the seed of the plan, of every kind, and goes with no --resume', async () => {
  const file = join(temporaryFolder(), 'plan.json');
  for (const kind of (await loadKinds()).values()) {
    assert.equal(await runStudyCommand(kind, ['--dry-run', `--json=${file}`, '--seed', '7']), 0);
    const { run } = JSON.parse(readFileSync(file, 'utf8')) as { run: { seed: number } };
    assert.equal(run.seed, 7, kind.id);
    await assert.rejects(runStudyCommand(kind, ['--resume', 'runs/x', '--seed', '7']), {
      code: 'usage',
      message: /^--resume goes on with the plan in the folder; it takes no .*--seed/,
    });
  }
});

test('what a study that goes on for ever cannot do is refused in one line, of every kind', async () => {
  for (const kind of (await loadKinds()).values())
    await assert.rejects(runStudyCommand(kind, ['--resume', 'runs/x', '--watch']), {
      code: 'usage',
      message: /^--resume goes on with the plan in the folder; it takes no \w+, --set, --out(?:,| or) --watch/,
    });
});
