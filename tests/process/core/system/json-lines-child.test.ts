import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { Child } from '../../../../core/system/command.ts';
import { within } from '../../../../core/system/deadline.ts';
import { JsonLinesChild, type JsonLinesOptions } from '../../../../core/system/json-lines-child.ts';

const soonMs = 30_000;

/** Starts a shell script as the program. */
function started<T = unknown>(
  t: TestContext,
  script: string,
  options: Partial<JsonLinesOptions<T>> = {},
): JsonLinesChild<T> {
  const child = new Child('parrot', spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe'], detached: true }));
  t.after(() => child.stop('SIGKILL'));
  return new JsonLinesChild<T>(child, {
    code: 'server-failed',
    ended: ({ how, reason, wasReady }) =>
      new CoexistError('server-died', `it ended ${how} (${reason})${wasReady ? '' : ' before it was ready'}`),
    ...options,
  });
}

test('each question is answered by one line, in the order of the questions', async t => {
  const program = started(t, 'while read -r line; do echo "[$line]"; done');
  const answers = await Promise.all([
    program.ask({ a: 1 }, 'an answer', soonMs),
    program.ask('2', 'an answer', soonMs),
  ]);
  assert.deepEqual(answers, [[{ a: 1 }], [2]]);
});

test('what nobody waits for is kept for who asks next, or handed on', async t => {
  const kept = started(t, 'echo 1; echo 2; echo nonsense; read -r _');
  assert.equal(await kept.next('a line', soonMs, { accepts: said => said === 2 }), 2);
  assert.equal(await kept.next('a line', soonMs), 1);
  await assert.rejects(kept.next('a line', soonMs), { code: 'server-failed', message: /nonsense/ });
  const heard: unknown[] = [];
  const handing = started(t, 'echo 1; echo 2; echo 3; read -r _', { onLine: said => heard.push(said) });
  assert.equal(await handing.next('three', soonMs, { accepts: said => said === 3 }), 3);
  assert.deepEqual(heard, [1, 2]);
});

test('a line that is not JSON, or that cannot be meant, refuses who has waited longest', async t => {
  const garbage = started(t, 'read -r _; echo "{half"; read -r _; echo 5; read -r _', { onLine: () => {} });
  const [first, second] = [garbage.ask('', 'an answer', soonMs), garbage.ask('', 'an answer', soonMs)];
  await assert.rejects(first, { code: 'server-failed', message: 'parrot said what is not JSON: {half' });
  assert.equal(await second, 5);
  const unknown = started(t, 'echo 7; read -r _', {
    read: said => {
      throw new CoexistError('link-refused', `no such thing as ${said}`);
    },
  });
  await assert.rejects(unknown.next('a line', soonMs), { code: 'link-refused', message: 'no such thing as 7' });
});

test('garbage that nobody waits for, and what its receiver throws for, is a failure', async t => {
  const garbage = started(t, 'echo nonsense; read -r _', { onLine: () => {}, name: 'the parrot' });
  await assert.rejects(within(garbage.failed, soonMs, 'the failure'), {
    code: 'server-failed',
    message: 'the parrot said what is not JSON: nonsense',
  });
  const throwing = () =>
    started(t, 'echo 1; read -r _', {
      onLine: () => {
        throw new Error('unheard of');
      },
    });
  const thrown = throwing();
  await assert.rejects(within(thrown.failed, soonMs, 'the failure'), { message: 'unheard of' });
  const starting = throwing();
  await assert.rejects(starting.ready('it', soonMs, { accepts: said => said === 2 }), { message: 'unheard of' });
  assert.ok(!starting.child.alive, 'what fails before it is ready is killed');
});

test('a line over the bound is an error, and the next line is read again', async t => {
  const program = started(
    t,
    'read -r _; printf "%0100d" 0; sleep 0.1; printf "%0100d" 0; echo; read -r _; echo 5; read -r _',
    { maxChars: 50 },
  );
  await assert.rejects(program.ask('', 'an answer', soonMs), {
    code: 'server-failed',
    message: 'parrot said a line of more than 50 characters',
  });
  assert.equal(await program.ask('', 'an answer', soonMs), 5);
});

test('text is taken as it is where lines are text', async t => {
  const program = started<string>(t, 'echo up; echo "{}"; read -r _', { format: 'text' });
  assert.equal(await program.ready('it', soonMs, { accepts: line => line === 'up' }), 'up');
  assert.equal(await program.next('a line', soonMs), '{}');
});

test('its death before it is ready is told with its last words', async t => {
  const program = started(t, 'echo "out of luck" >&2; exit 3');
  await assert.rejects(program.ready('it', soonMs), {
    code: 'server-died',
    message: 'it ended with status 3 (out of luck) before it was ready',
  });
  await assert.rejects(program.next('a line', soonMs), { code: 'server-died' });
});

test('its death later is told to all who wait, and to who watches', async t => {
  const program = started(t, 'echo 1; read -r _; kill -9 $$', { onLine: () => {} });
  await program.ready('it', soonMs);
  const waiting = [program.next('a line', soonMs), program.ask('', 'an answer', soonMs)];
  for (const promise of [...waiting, within(program.failed, soonMs, 'the failure')])
    await assert.rejects(promise, { code: 'server-died', message: 'it ended by SIGKILL (SIGKILL)' });
  program.forgetFailure();
  await assert.rejects(within(program.failed, soonMs, 'the failure'), { code: 'server-died' });
});

test('no answer in time is an error, and a late answer goes to nobody else', async t => {
  const program = started(t, 'read -r _; read -r _; echo 1; echo 2; read -r _');
  await assert.rejects(program.ask('', 'an answer', 50, { code: 'probe-died' }), {
    code: 'probe-died',
    message: /^timed out after 0\.1 s waiting for an answer$/,
  });
  assert.equal(await program.ask('', 'an answer', soonMs), 2);
  const abort = new AbortController();
  const waiting = program.next('a line', soonMs, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await assert.rejects(waiting, { message: 'enough' });
});

test('one that is not ready in time is killed', async t => {
  const program = started(t, 'exec sleep 600');
  await assert.rejects(program.ready('it to start', 50), { code: 'timed-out' });
  assert.ok(!program.child.alive);
});

test('a failure that is forgotten is not told again, and the next one is', async t => {
  const program = started(t, 'echo nonsense; read -r _; echo rubbish; read -r _', { onLine: () => {} });
  await assert.rejects(within(program.failed, soonMs, 'the failure'), { message: /nonsense/ });
  program.forgetFailure();
  const { failed } = program;
  program.tell('');
  await assert.rejects(within(failed, soonMs, 'the failure'), { message: /rubbish/ });
});

test('one that is stopped has not failed, but answers nobody any more', async t => {
  const quiet = (program: JsonLinesChild) =>
    Promise.race([program.failed.catch(() => 'failed'), new Promise(resolve => setTimeout(resolve, 20, 'quiet'))]);
  const polite = started(t, 'cat > /dev/null; echo \'"bye"\'', { onLine: () => {} });
  const last = polite.next('its last word', soonMs);
  await polite.end(soonMs);
  assert.equal(await last, 'bye');
  assert.equal(await quiet(polite), 'quiet');
  await assert.rejects(polite.ask('', 'an answer', soonMs), { code: 'server-died', message: /with status 0/ });
  const deaf = started(t, 'trap "" TERM; exec 0</dev/null; while :; do sleep 0.05; done', { onLine: () => {} });
  await deaf.end(50);
  assert.ok(!deaf.child.alive);
  assert.equal(await quiet(deaf), 'quiet');
});
