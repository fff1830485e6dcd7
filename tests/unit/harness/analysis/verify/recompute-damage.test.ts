/** Tests damaged run folders on which the second implementation once crashed or took too long. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { run } from '../../../../../core/system/command.ts';
import { pythonEnvironment, pythonProgram } from '../../../../../harness/analysis/verify/recompute.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startMs, writeRun } from './hand-made.ts';
import { writePairs } from './hand-made-pairs.ts';
import { type Row, recomputed, skip } from './verifier.ts';

const place = temporaryFolder();
const brackets = `${'['.repeat(5000)}${']'.repeat(5000)}`;

describe('what the second program says of a damaged folder', { skip }, () => {
  /** Replaces the first match of `from` in a file. */
  const replace = (path: string, from: string | RegExp, to: string) => {
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    assert.notEqual(changed, text);
    writeFileSync(path, changed);
  };

  const refused: [what: string, file: string, from: string | RegExp, to: string, says: RegExp][] = [
    [
      'a condition that is none',
      'summary.json',
      '"conditions":[',
      '"conditions":["x",',
      /summary\.json is not that of/,
    ],
    [
      'thousands of brackets',
      'summary.json',
      '"machines":null',
      `"machines":${brackets}`,
      /summary\.json cannot be read/,
    ],
    ['a number that is none', 'summary.json', /"stall-time":0\.3/, '"stall-time":NaN', /NaN is no number of JSON/],
    [
      'a number of 400 digits',
      'summary.json',
      /"stall-time":0\.3/,
      `"stall-time":${'9'.repeat(400)}`,
      /is not that of this run: TypeError/,
    ],
    ['a text for a number', 'summary.json', /"stall-time":0\.3/, '"stall-time":"0.3"', /TypeError/],
    ['a unit that is none', 'summary.json', '"unit":"ms"', '"unit":5', /TypeError/],
    [
      'a trial without its condition',
      'trials/0003-base/trial.json',
      '"condition":{',
      '"x":{',
      /trial\.json is not that of a/,
    ],
  ];
  for (const [what, file, from, to, says] of refused)
    test(what, async () => {
      const path = join(place, what.replaceAll(' ', '-'));
      writeRun(path);
      replace(join(path, file), from, to);
      const { status, stdout, stderr } = await recomputed(path);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^[^\n]{1,1000}\n {2}-> [^\n]+\n$/);
    });

  test('of a trial: names that lead elsewhere, more frames than fit, brackets, no text', async () => {
    const path = join(place, 'trials');
    writeRun(path);
    const of = (trial: string, file: string) => join(path, 'trials', trial, file);
    replace(join(path, 'summary.json'), '"name":"0001-base"', '"name":"../trials/0001-base"');
    appendFileSync(
      of('0003-base', 'applications/call/frames.presented.jsonl'),
      `${JSON.stringify({ presentationMs: startMs + 20_000, presentedFrames: 1e12, rtpTimestamp: 1 })}\n`,
    );
    appendFileSync(of('0005-base', 'ping.jsonl'), brackets);
    appendFileSync(of('0007-base', 'ping.jsonl'), Buffer.from('{"a":"\xff"}\n', 'latin1'));
    const { status, stdout, stderr } = await recomputed(path, ['--json']);
    assert.deepEqual([status, stderr], [4, '']);
    const notes = (JSON.parse(stdout) as { rows: Row[] }).rows.filter(({ metric }) => metric === 'record');
    const noteOf = (trial: string) => notes.find(row => row.place === trial)!.note;
    assert.match(noteOf('../trials/0001-base'), /summary\.json has a trial named '\.\.\/trials\/0001-base'/);
    assert.match(noteOf('0003-base'), /frames without a callback in \d/);
    assert.match(noteOf('0005-base'), /ping\.jsonl line 61 is no JSON/);
    assert.match(noteOf('0007-base'), /ping\.jsonl line \d+ is no JSON: 'utf-8'/);
  });

  test('a rule of more trials than a study may have', { timeout: 60_000 }, async () => {
    const path = join(place, 'pairs');
    writePairs(path);
    replace(join(path, 'plan.json'), '"repeats":30', '"repeats":1000000');
    const { status, stderr } = await recomputed(path);
    assert.equal(status, 1);
    assert.match(stderr, /plan\.json has no number of trials for each cell/);
  });

  test('of a hole in a capture all later packets wait, in a time that grows with their number', async () => {
    const code = [
      'from recompute.captured import _Flow',
      'flow = _Flow(0)',
      'for k in range(1, 100_000): flow.add(k, 1000 * k, 1000)',
      'flow.add(100_000, 0, 1000)',
      'print(flow.taken)',
    ].join('\n');
    const options = { timeoutMs: 20_000, env: pythonEnvironment() };
    assert.equal((await run([pythonProgram()!, '-B', '-s', '-c', code], options)).stdout, '100000000\n');
  });
});
