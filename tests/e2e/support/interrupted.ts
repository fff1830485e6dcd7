/** A study of two trials that is stopped, killed, or loses a part in its second one. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../../core/system/deadline.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import { namespacesOf, Place, processesIn, short } from './run-command.ts';

export async function inPlace(body: (place: Place) => Promise<void>): Promise<void> {
  const place = new Place();
  try {
    await body(place);
  } finally {
    await place.clean();
    place.remove();
  }
}

/** Said where the trial begins. */
const firstBegins = /\[1\/2\] {2}Alone/;
const secondBegins = /\[2\/2\] {2}Beside/;
export const anyBegins = /\[[12]\/2\] {2}(Alone|Beside)/;

/**
 * Starts a study and waits until its second trial is under way. Its links are not proved: that is for the trials that
 * count. What a busy machine voids is run again often enough that the study can still be completed.
 */
export async function inSecondTrial(place: Place, more: string[] = []) {
  const session = place.start([
    'experiment',
    ...short,
    '--set',
    'run.preflight=false',
    '--set',
    'run.retries=10',
    '--out',
    place.out,
    ...more,
  ]);
  await session.printed(secondBegins, 120_000);
  return session;
}

/** The namespace of a host of the run under way. */
export async function namespaceOf(place: Place, role: string): Promise<string> {
  return until(
    async () => (await namespacesOf(place.state)).find(name => name.endsWith(`-${role}`)),
    10_000,
    `the ${role}'s namespace`,
  );
}

/** Waits until the second trial's viewer has seen frames: before that a part that dies may be replaced unnoticed. */
async function inView(place: Place): Promise<void> {
  const frames = join(place.out, 'trials/.partial-0002-flood/applications/service/frames.presented.jsonl');
  await until(() => (existsSync(frames) && statSync(frames).size > 0 ? true : undefined), 30_000, 'the first frame');
}

/** Waits for processes on a host whose command line holds the one word and not the other, and ends them all. */
async function killIn(place: Place, role: string, word: string, without: string | undefined): Promise<void> {
  const namespace = await namespaceOf(place, role);
  const pids = await until(
    async () => {
      const found = await processesIn(namespace, word, without);
      return found.length > 0 ? found : undefined;
    },
    20_000,
    `${word} to run`,
  );
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** Trials that count, whatever a busy machine voided on the way. */
export const counted = (place: Place) => place.trials().filter(name => !name.includes('.void'));

/** Runs whose first trial is complete, by what was set for them: each test that needs one goes on with a copy. */
const halves = new Map<string, Place>();
after(() => {
  for (const place of halves.values()) place.remove();
});

async function halfDone(place: Place, more: readonly string[]): Promise<void> {
  const key = more.join(' ');
  let half = halves.get(key);
  if (half === undefined) {
    halves.set(key, (half = new Place()));
    const session = await inSecondTrial(half, ['--set', 'run.window=5s', '--set', 'run.retries=0', ...more]);
    session.process.kill('SIGINT');
    assert.equal((await session.finish(30_000)).status, 130);
  }
  cpSync(half.out, place.out, { recursive: true });
}

/**
 * Where a part of a trial runs; its process, whose command line holds the one word and not the other; what is said of
 * its end.
 */
type Part = {
  role: string;
  word: string;
  without?: string;
  reason: RegExp;
  /** Settings that have it run. */
  more?: readonly string[];
};

const parts = {
  'the browser': {
    role: 'right-1',
    word: '--remote-debugging-pipe',
    without: '--type=',
    reason: /the browser|the browser's page/,
  },
  "the browser's page": { role: 'right-1', word: '--type=renderer', reason: /the browser's page/ },
  'the flood': { role: 'left-2', word: 'iperf3', reason: /iperf3 ended in the middle/ },
  "the flood's receiver": { role: 'right-2', word: 'iperf3', reason: /iperf3/ },
  'the media server': { role: 'left-1', word: 'server/main.ts', reason: /the media server/ },
  'the probe': { role: 'left-1', word: 'ping', reason: /ping ended/ },
  'the queue log': {
    role: 'router',
    word: 'coexist-qlog',
    reason: /the queue log ended in the middle of the trial/,
    more: ['--set', 'link.backend=tc'],
  },
  'the emulator': { role: 'router', word: 'coexist-link', reason: /coexist-link ended by SIGKILL/ },
  'the delay line': {
    role: 'router',
    word: 'coexist-link',
    reason: /coexist-link ended by SIGKILL/,
    more: ['--set', 'link.rtt=20ms', '--set', 'link.backend=tc+line'],
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as PartName[];

/** A test of what becomes of the study when that part is killed. */
export function whenPartDies(name: PartName): void {
  const { role, word, without, reason, more = [] }: Part = parts[name];
  test(`when ${name} dies, the trial is void with that reason, the rest is kept, and the exit status is 3`, () =>
    inPlace(async place => {
      await halfDone(place, more);
      const session = place.start(['experiment', '--resume', place.out]);
      await inView(place);
      await killIn(place, role, word, without);
      const ended = await session.finish(60_000);
      assert.equal(ended.status, 3, ended.stdout + ended.stderr);
      assert.match(ended.stdout, /\[2\/2\] {2}VOID: /);
      assert.match(ended.stderr, /of 2 trials have no valid result: .*0002-flood\n {2}-> .*--resume/);
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.ok(
        place.trials().includes('0002-flood.void1') && place.trials().some(name => name.startsWith('0001-baseline')),
        place.trials().join(),
      );
      const { verdict } = RunFolder.open(place.out).trialFile('0002-flood.void1');
      assert.equal(verdict.status, 'invalid');
      assert.match(verdict.findings.map(finding => finding.message).join(), reason);
      assert.deepEqual(readdirSync(place.state), []);
    }));
}

/** A test of what becomes of a study whose output closes. `alsoSignal`: the study gets Ctrl-C, too. */
export function whenOutputCloses(what: string, { alsoSignal }: { alsoSignal: boolean }): void {
  test(`${what}, ends with 130, says how to go on, and leaves nothing`, () =>
    inPlace(async place => {
      const session = place.start(['experiment', ...short, '--set', 'run.preflight=false', '--out', place.out]);
      await session.printed(firstBegins, 120_000);
      session.process.stdout!.destroy();
      if (alsoSignal) session.process.kill('SIGINT');
      const ended = await session.finish();
      assert.equal(ended.status, 130, ended.stderr);
      assert.match(
        ended.stderr,
        /the output has closed; stopping: .*\n(.*\n)*interrupted\n {2}-> go on with: .*--resume/,
      );
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+|EPIPE/);
      assert.deepEqual(readdirSync(place.state), []);
    }));
}
