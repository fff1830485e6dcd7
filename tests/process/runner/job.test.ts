/** Test files of all kinds, run as `npm test` runs them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../core/system/deadline.ts';
import { cacheFolder, projectRoot } from '../../../core/system/paths.ts';
import { startTicks } from '../../../core/system/process-id.ts';
import { runJob } from '../../runner/job.ts';

const limits = { testMs: 60_000, fileMs: 120_000 };

/** Runs files with these texts in one process. */
async function job(
  texts: Record<string, string>,
  given: { limits?: typeof limits; signal?: AbortSignal; environment?: NodeJS.ProcessEnv } = {},
) {
  const folder = join(cacheFolder, `job-test-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const said: string[] = [];
  try {
    const files = Object.entries(texts).map(([name, text]) => {
      const path = join(folder, `${name}.test.mjs`);
      writeFileSync(
        path,
        `import assert from 'node:assert/strict';\nimport { describe, test } from 'node:test';\n${text}`,
      );
      return relative(projectRoot, path);
    });
    const result = await runJob(
      { part: 'unit', files, limits: given.limits ?? limits },
      {
        environment: given.environment ?? process.env,
        flags: [],
        say: line => said.push(line),
        signal: given.signal ?? new AbortController().signal,
        silenceMs: 5_000,
        graceMs: 500,
      },
    );
    return { ...result, said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('tests are counted by file, a suite by its tests', async () => {
  const { files, cpuSeconds } = await job({
    a: `test('one', () => {}); describe('s', () => { test('two', t => t.diagnostic('12 ms')); test('three', () => assert.equal(1, 2)); });`,
    b: `test('four', { skip: 'no netem' }, () => {}); test('five', t => t.skip());`,
  });
  const [a, b] = files;
  assert.deepEqual([a!.passed, b!.passed], [2, 0]);
  assert.deepEqual(
    a!.failures.map(({ name, line }) => [name, line]),
    [['three', 3]],
  );
  assert.match(a!.failures[0]!.error, /1 !== 2/);
  assert.deepEqual(a!.diagnostics, ['12 ms']);
  assert.deepEqual(b!.skipped, [
    { name: 'four', why: 'no netem' },
    { name: 'five', why: 'no reason given' },
  ]);
  assert.ok(cpuSeconds! > 0);
});

test('a file that cannot be loaded fails, and the others of its process run', async () => {
  const { files } = await job({ a: `throw new Error('no such plug-in');`, b: `test('one', () => {});` });
  assert.match(files[0]!.failures[0]!.error, /no such plug-in/);
  assert.equal(files[1]!.passed, 1);
});

test('a process that ends by itself in the middle fails with what it wrote', async () => {
  const { files } = await job({ a: `test('one', () => { console.log('last words'); process.abort(); });` });
  assert.equal(files[0]!.failures.length, 1);
  assert.match(files[0]!.failures[0]!.error, /ended with SIGABRT.*last words/s);
});

test('a crash is put down to the file in which it came, and those behind it are named', async () => {
  const { files } = await job({
    a: `test('one', () => {});`,
    b: `test('two', async () => { await new Promise(done => setTimeout(done, 300)); process.abort(); });`,
    c: `test('three', () => {});`,
  });
  const [a, b, c] = files.map(({ passed, failures }) => [passed, failures.map(({ error }) => error.split('\n')[0])]);
  assert.deepEqual(a, [1, []]);
  assert.match(String(b), /^0,the process ended with SIGABRT/);
  assert.match(String(c), /^0,nothing came of it: its process ended, and was last heard of in \S+b\.test\.mjs$/);
});

test('what a file leaves running is a failure, and is ended', async () => {
  const { files } = await job({
    a: `import { spawn } from 'node:child_process';
test('one', () => { spawn('sleep', ['300'], { detached: true, stdio: 'inherit' }).unref(); });`,
  });
  const [, pid] = /left running: sleep 300 \((\d+)\)/.exec(files[0]!.failures[0]!.error) ?? [];
  await until(() => startTicks(Number(pid)) === undefined || undefined, 30_000, 'it to end');
});

test('a file that does not end is ended at its limit, with the test it hangs in', async () => {
  const { files, said } = await job(
    { a: `test('one', () => {}); test('for ever', () => new Promise(() => setInterval(() => {}, 1000)));` },
    { limits: { testMs: 600_000, fileMs: 8_000 } },
  );
  assert.equal(files[0]!.passed, 1);
  assert.deepEqual(
    files[0]!.failures.map(({ error }) => error),
    ['it was ended after 8 s, in "for ever"'],
  );
  assert.match(said.join('\n'), /a\.test\.mjs: nothing for 5 s, in "for ever"/);
});

test('a process that ends with status 0 before its tests have ended fails', async () => {
  const { files } = await job({ a: `test('one', () => process.exit(0));`, b: `test('two', () => {});` });
  assert.deepEqual([files[0]!.failures.length, files[1]!.passed], [1, 0]);
  assert.match(
    files[1]!.failures[0]!.error,
    /^nothing came of it: its process ended, and was last heard of in \S+a\.test\.mjs$/,
  );
  assert.match(files[0]!.failures[0]!.error, /^the process ended with status 0, and no test failed/);
});

test('the files that it looked at are told, and whether it started a program', async () => {
  const { followed } = await job({
    a: `import { existsSync, readFileSync } from 'node:fs';
import '../../core/text/units.ts';
test('one', () => { readFileSync('LICENSE'); existsSync(new URL('../../none', import.meta.url)); readFileSync('/etc/hostname'); });`,
  });
  const { paths, ...rest } = followed!;
  assert.deepEqual(rest, { startsPrograms: false, lists: false });
  for (const path of ['LICENSE', 'none', 'core/text/units.ts']) assert.ok(paths.includes(path), path);
  const more = await job({
    a: `import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
test('one', () => { execFileSync('true'); globSync('*.md'); });`,
  });
  assert.deepEqual({ ...more.followed!, paths: [] }, { paths: [], startsPrograms: true, lists: true });
});

test('the signal ends it, and nothing is left', async () => {
  const stop = new AbortController();
  const begun = join(cacheFolder, `job-test-begun-${process.pid}`);
  try {
    const ended = job(
      {
        a: `import { writeFileSync } from 'node:fs';
test('for ever', () => { writeFileSync(process.env.BEGUN, String(process.pid)); return new Promise(() => setInterval(() => {}, 1000)); });`,
      },
      { signal: stop.signal, environment: { ...process.env, BEGUN: begun } },
    );
    const pid = await until(
      () => (existsSync(begun) && Number(readFileSync(begun, 'utf8'))) || undefined,
      30_000,
      'it',
    );
    stop.abort(new Error('SIGINT'));
    await ended;
    assert.equal(startTicks(pid), undefined);
  } finally {
    rmSync(begun, { force: true });
  }
});
