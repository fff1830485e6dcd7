/**
 * A fourth kind of study, whose trials have an order that depends on results, in one folder (kinds/climb): in a copy of
 * the repository it runs, resumes, reports, exports, is verified, has thresholds, is compared and goes through the queue
 * without another change.
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = join(temporaryFolder(), 'coexist');
const place = new Place(['env', '-C', copy]);
after(() => place.remove());

describe('a kind of study of its own', { skip: cannotRun ?? false }, () => {
  for (const part of ['core', 'harness', 'server', 'client', 'shaper', 'reports', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: path => !path.endsWith('/target') });
  for (const part of ['node_modules', '.cache']) symlinkSync(join(root, part), join(copy, part));
  const kind = join(copy, 'harness/studies/climb');
  cpSync(join(root, 'tests/long/kinds/climb'), kind, { recursive: true });
  const index = join(kind, 'index.ts');
  writeFileSync(index, readFileSync(index, 'utf8').replaceAll('../../../../', '../../../'));

  const run = async (words: string[], status = 0) => {
    const ended = await place.start(words).finish(300_000);
    assert.equal(ended.status, status, `${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  };
  /** Conditions in the order in which they were measured. */
  const order = (path: string) => {
    const trials = readdirSync(join(path, 'trials')).filter(name => !name.startsWith('.') && !name.includes('.void'));
    const files = trials.map(
      name => JSON.parse(readFileSync(join(path, 'trials', name, 'trial.json'), 'utf8')) as TrialFile,
    );
    return files.sort((a, b) => a.phases!.windowStartMs - b.phases!.windowStartMs).map(({ trial }) => trial.condition);
  };
  const path = join(place.path, 'run');

  test('it is listed, and its trials come in the order that their results ask for', async () => {
    assert.match(await run(['study', '--list']), /Up and down the rates \(npm run climb\)\nrates +One CUBIC flow/);
    assert.match(await run(['climb', '--dry-run']), /^One CUBIC flow up and down\n/);
    await run(['study', 'rates', '--out', path]);
    assert.deepEqual(order(path), ['at-5mbit', 'at-8mbit', 'at-3mbit']);
  });

  test('it goes on where it was stopped', async () => {
    const [lost] = readdirSync(join(path, 'trials')).filter(name => name.includes('at-8mbit'));
    rmSync(join(path, 'trials', lost!), { recursive: true });
    assert.match(await run(['study', '--resume', path]), /: 1 trials/);
    assert.deepEqual(order(path), ['at-5mbit', 'at-3mbit', 'at-8mbit']);
  });

  test('it is reported again, exported and verified', async () => {
    const page = join(place.path, 'page.md');
    assert.match(await run(['report', path, '--page', page]), /report: {2}/);
    assert.match(readFileSync(page, 'utf8'), /^# One CUBIC flow up and down/);
    await run(['export', path]);
    const rows = readFileSync(join(path, 'export/metrics.csv'), 'utf8').trim().split('\n');
    assert.equal(rows.length, 4, rows.join('\n'));
    assert.match(await run(['verify', path]), /0 differ/);
    await run(['report', path, path], 1);
  });

  const queued = join(place.path, 'queued');

  test('workers of a queue run it, and a threshold that it misses is a line and the exit status', async () => {
    const require = [{ metric: 'wire-rate', condition: 'at-3mbit', atLeast: '4mbit' }];
    const sets = ['--set', 'filled=7mbit', '--set', `require=${JSON.stringify(require)}`];
    const said = await run(['climb', ...sets, '--queue', 'local', '--out', queued], 4);
    assert.deepEqual(order(queued), ['at-5mbit', 'at-3mbit', 'at-8mbit'], 'down first');
    assert.match(said, /^missed: [^\n]* of [^\n]*3mbit[^\n]*: [\d.]+ Mbit\/s, n = 1, must be at least 4\.00 Mbit\/s$/m);
  });

  test('two runs of it are compared', async () => {
    const page = join(place.path, 'compared.html');
    await run(['report', path, queued, '--out', page]);
    assert.match(readFileSync(page, 'utf8'), /Two runs: One CUBIC flow up and down/);
  });

  test('nothing is left behind', async () => assert.deepEqual(await place.namespaces(), []));
});
