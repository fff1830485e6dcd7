/** What happens when a run is stopped, killed, or a part of it dies: nothing stays behind, nothing complete is lost. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { until } from '../../harness/base/deadline.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import type { LeaseRecord } from '../../harness/base/lease.ts';
import { Place, allNamespaces, cannotRun, namespacesOf, processesIn, short } from './support/run-command.ts';

async function inPlace(test: (place: Place) => Promise<void>): Promise<void> {
  const place = new Place();
  try {
    await test(place);
  } finally {
    await place.run(['clean']);
    place.remove();
  }
}

/** Starts a study and waits until its second trial is under way. Its links are not proved: that is for the trials that count. */
async function inSecondTrial(place: Place, more: string[] = []) {
  const session = place.start(['experiment', ...short, '--set', 'run.preflight=false', '--out', place.out, ...more]);
  await session.printed(/\[2\/2\] {2}Beside/);
  return session;
}

/** The namespace of a role of the run under way. */
async function namespaceOf(place: Place, role: string): Promise<string> {
  return until(async () => (await namespacesOf(place.state)).find(name => name.endsWith(`-${role}`)), 10_000, `the ${role}'s namespace`);
}

/** Waits until the second trial's viewer has seen pictures: before that a part that dies may be replaced unnoticed. */
async function inView(place: Place): Promise<void> {
  const frames = join(place.out, 'trials/.partial-0002-flood/frames.presented.jsonl');
  await until(() => (existsSync(frames) && statSync(frames).size > 0 ? true : undefined), 30_000, 'the first picture');
}

/** Waits for processes on a host whose command line holds the one word and not the other, and ends them all. */
async function killIn(place: Place, role: string, word: string, without: string | undefined): Promise<void> {
  const namespace = await namespaceOf(place, role);
  const pids = await until(async () => {
    const found = await processesIn(namespace, word, without);
    return found.length > 0 ? found : undefined;
  }, 20_000, `${word} to run`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** Trials that count, whatever a busy machine voided on the way. */
const counted = (place: Place) => place.trials().filter(name => !name.includes('.void'));

/** Runs whose first trial is complete, by what was set for them: each test that needs one goes on with a copy. */
const halves = new Map<string, Place>();
after(() => { for (const place of halves.values()) place.remove(); });

async function halfDone(place: Place, more: readonly string[]): Promise<void> {
  const key = more.join(' ');
  let half = halves.get(key);
  if (half === undefined) {
    halves.set(key, half = new Place());
    const session = await inSecondTrial(half, ['--set', 'run.window=5s', '--set', 'run.retries=0', ...more]);
    session.process.kill('SIGINT');
    assert.equal((await session.finish(30_000)).status, 130);
  }
  cpSync(half.out, place.out, { recursive: true });
}

describe('interruptions', { skip: cannotRun }, () => {
  test('Ctrl-C ends with 130, keeps the finished trial, leaves nothing; --resume runs what is missing', () => inPlace(async place => {
    const session = await inSecondTrial(place);
    session.process.kill('SIGINT');
    const ended = await session.finish(30_000);
    assert.equal(ended.status, 130, ended.stderr);
    assert.match(ended.stderr, /interrupted\n {2}-> go on with: .*--resume/);
    assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
    assert.deepEqual(readdirSync(place.state), []);
    assert.deepEqual(counted(place), ['0001-baseline']);
    const before = readFileSync(join(place.out, 'trials/0001-baseline/trial.json'), 'utf8');
    const resumed = await place.run(['experiment', '--resume', place.out]);
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.match(resumed.stdout, /1 of 2 trials to run/);
    assert.equal(readFileSync(join(place.out, 'trials/0001-baseline/trial.json'), 'utf8'), before);
    assert.deepEqual(counted(place), ['0001-baseline', '0002-flood']);
    assert.ok(existsSync(join(place.out, 'report.html')));
  }));

  test('after kill -9 in the middle of a trial the next start removes what was left and loses no finished trial', () => inPlace(async place => {
    const session = await inSecondTrial(place);
    await namespaceOf(place, 'client');
    const others = (await allNamespaces()).length - (await namespacesOf(place.state)).length;
    session.process.kill('SIGKILL');
    await session.finish(5000);
    assert.equal((await namespacesOf(place.state)).length, 4, 'the killed run leaves its namespaces');
    const lease = JSON.parse(readFileSync(join(place.state, readdirSync(place.state).find(name => name.endsWith('.json'))!), 'utf8')) as LeaseRecord;
    const resumed = await place.run(['experiment', '--resume', place.out]);
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.match(resumed.stdout, /removed what 1 killed run left: 4 namespaces/);
    assert.match(resumed.stdout, /1 of 2 trials to run/);
    assert.equal((await allNamespaces()).length, others);
    assert.deepEqual(readdirSync(place.state), []);
    assert.ok(!existsSync(lease.scratch));
    for (const { pid, startTicks } of lease.processes) {
      const { isAlive } = await import('../../harness/base/process-id.ts');
      assert.ok(!isAlive({ pid, startTicks }), `process ${pid} is still there`);
    }
  }));

  test('kill -9 while the network is being built is cleaned, too', () => inPlace(async place => {
    const session = place.start(['experiment', ...short, '--out', place.out]);
    await until(() => (existsSync(place.state) && readdirSync(place.state).some(name => name.endsWith('.json')) ? true : undefined), 20_000, 'the lease', { everyMs: 2 });
    session.process.kill('SIGKILL');
    await session.finish(5000);
    const cleaned = await place.run(['clean']);
    assert.equal(cleaned.status, 0);
    assert.match(cleaned.stdout, /removed what 1 killed run left/);
    assert.deepEqual(await namespacesOf(place.state), []);
    assert.deepEqual(readdirSync(place.state), []);
  }));

  test('Ctrl-C while the link is being proved ends at once, and leaves nothing', () => inPlace(async place => {
    const session = place.start(['experiment', ...short, '--out', place.out]);
    await session.printed(/proving the link/);
    session.process.kill('SIGINT');
    const ended = await session.finish(15_000);
    assert.equal(ended.status, 130, ended.stderr);
    assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
    assert.deepEqual(readdirSync(place.state), []);
    assert.deepEqual(await namespacesOf(place.state), []);
  }));

  for (const [what, role, word, without, reason, more = []] of [
    ['the browser', 'client', '--remote-debugging-pipe', '--type=', /the browser|the browser's page/],
    ['the browser\'s page', 'client', '--type=renderer', undefined, /the browser's page/],
    ['the flood', 'flooder', 'iperf3', undefined, /the flood \(iperf3\) ended/],
    ['the flood\'s receiver', 'client', 'iperf3', undefined, /iperf3|flood/],
    ['the media server', 'server', 'server/main.ts', undefined, /the media server/],
    ['the probe', 'server', 'ping', undefined, /ping ended/],
    ['the queue log', 'router', 'coexist-qlog', undefined, /the queue log ended in the middle of the trial/],
    ['the delay line', 'router', 'coexist-link', undefined, /coexist-link ended by SIGKILL/, ['--set', 'link.rtt=20ms', '--set', 'link.backend=tc+line']],
  ] as const) {
    test(`when ${what} dies, the trial is void with that reason, the rest is kept, and the exit status is 3`, () => inPlace(async place => {
      await halfDone(place, more);
      const session = place.start(['experiment', '--resume', place.out]);
      await inView(place);
      await killIn(place, role, word, without);
      const ended = await session.finish(60_000);
      assert.equal(ended.status, 3, ended.stdout + ended.stderr);
      assert.match(ended.stdout, /\[2\/2\] {2}VOID: /);
      assert.match(ended.stderr, /of 2 trials have no valid result: .*0002-flood\n {2}-> .*--resume/);
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.ok(place.trials().includes('0002-flood.void1') && place.trials().some(name => name.startsWith('0001-baseline')), place.trials().join());
      const { verdict } = RunFolder.open(place.out).trialFile('0002-flood.void1');
      assert.equal(verdict.status, 'invalid');
      assert.match(verdict.findings.map(finding => finding.message).join(), reason);
      assert.deepEqual(readdirSync(place.state), []);
    }));
  }
});
