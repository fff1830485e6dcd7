import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';
import { watchOutput } from '../../../../harness/cli/closed-output.ts';
import { onStudyInterruption } from '../../../../harness/cli/interruption.ts';

const broken = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

test('output that closes stops a study once, in its documented way, and says so where it can be read', () => {
  const [out, errors, end] = [new PassThrough(), new PassThrough(), new AbortController()];
  watchOutput([out], end);
  const said: string[] = [];
  const signal = onStudyInterruption(text => said.push(text), 'npm run experiment -- --resume runs/x', {
    output: end.signal,
    errors,
  });
  assert.ok(!signal.aborted);
  out.emit('error', broken());
  out.emit('error', broken()); // each later write also fails
  const { code, hint } = signal.reason as { code: string; hint: string };
  assert.deepEqual([code, hint], ['interrupted', 'go on with: npm run experiment -- --resume runs/x']);
  assert.equal(said.length, 1);
  assert.match(String(errors.read()), /^the output has closed; stopping: the current trial is abandoned[^\n]*\n$/);
});

test('output that has closed before a study begins stops it at once', () => {
  const end = new AbortController();
  end.abort(broken());
  const options = { output: end.signal, errors: new PassThrough() };
  assert.ok(onStudyInterruption(() => {}, 'x', options).aborted);
});

/** Runs a command whose output is closed by the reader before the command prints. */
async function closedAtOnce(words: string[], stream: 'stdout' | 'stderr'): Promise<{ status: number; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child[stream].destroy();
  let said = '';
  child[stream === 'stdout' ? 'stderr' : 'stdout'].setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, said };
}

describe('commands end as they would, without a stack', () => {
  for (const [words, stream, status] of [
    [['experiment', '--list'], 'stdout', 0],
    [['experiment', 'hello', '--dry-run'], 'stdout', 0],
    [['experiment', 'no-such-study'], 'stderr', 1],
    [['report', '--help'], 'stdout', 0],
  ] as const)
    test(`${words.join(' ')} without ${stream}`, async () =>
      assert.deepEqual(await closedAtOnce(['harness/main.ts', ...words], stream), { status, said: '' }));

  test('set-up and what it hands over to', async () =>
    assert.deepEqual(await closedAtOnce(['harness/setup/run.mjs', 'setup', '--help'], 'stdout'), {
      status: 0,
      said: '',
    }));
});

test('every program that people start minds its output', () => {
  const scripts = Object.values(
    (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
      .scripts,
  );
  const programs = new Set(scripts.map(script => /^node (\S+\.mjs)/.exec(script)![1]!));
  for (const program of programs)
    assert.match(readFileSync(join(projectRoot, program), 'utf8'), /^import '\.\/closed-output\.mjs';$/m, program);
  assert.ok(readdirSync(join(projectRoot, 'harness/setup')).includes('closed-output.mjs'));
});
