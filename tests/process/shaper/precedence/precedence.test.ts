/**
 * Settings of a run on the machine for its trials, read from the kernel, and their restoration after a normal end or a
 * kill.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { groupsOf, toldOfGroups } from '../../../../core/system/control-group.ts';
import { until, within } from '../../../../core/system/deadline.ts';
import { removeLeftovers } from '../../../../harness/trial/leftovers.ts';
import type { Means } from '../../../../shaper/precedence/means.ts';
import { precedeProgram } from '../../../../shaper/precedence/precede.ts';
import { findWeightPlace } from '../../../../shaper/precedence/weight-place.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const state = (process.env['COEXIST_STATE_DIR'] = temporaryFolder());
const skip = process.getuid?.() !== 0 ? 'needs root' : existsSync(precedeProgram) ? false : 'needs the native programs';
const holder = fileURLToPath(new URL('support/holder.ts', import.meta.url));
const twoRuns = fileURLToPath(new URL('support/two-runs.ts', import.meta.url));
const sessions = existsSync('/proc/self/autogroup') ? false : 'this kernel does not group processes by sessions';
const ends: (() => void)[] = [];
after(() => {
  for (const end of ends) end();
});

const byNice: Means = { reading: { means: 'nice', share: 1, obstacle: null } };
const niceOfSession = (pid: number) => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))![1]);
const groupsNow = (pid: number, controller?: string) => groupsOf(toldOfGroups(`/proc/${pid}`), controller);
const ran = (pid: number) => existsSync(`/proc/${pid}/exe`);

/** A harness in a session shared with another program, like a terminal's shell. */
async function start(means: Means) {
  const words = ['-c', 'sleep 600 & echo $!; exec "$@"', 'sh', process.execPath, holder, JSON.stringify(means)];
  const child = spawn('sh', words, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await within(lines.next(), 30_000, 'a line of the harness')).value as string;
  const shell = Number(await next());
  ends.push(() => process.kill(shell, 'SIGKILL'));
  const told = JSON.parse(await next()) as { child: number; own: number };
  ends.push(() => {
    if (ran(told.child)) process.kill(told.child, 'SIGKILL');
  });
  const isProgram = () => readFileSync(`/proc/${told.child}/comm`, 'utf8') === 'sleep\n' || undefined;
  await until(isProgram, 30_000, 'the program to be run behind its words');
  return {
    ...told,
    shell,
    harness: child.pid!,
    async giveBack() {
      child.stdin.write('\n');
      const { own } = JSON.parse(await next()) as { own: number };
      return own;
    },
    async kill() {
      child.kill('SIGKILL');
      await within(ended, 30_000, 'the harness to be killed');
    },
  };
}

test('by nice values: of the program, of its session, of the harness and of its session', {
  skip: skip || sessions,
}, async () => {
  const run = await start(byNice);
  assert.deepEqual([getPriority(run.child), niceOfSession(run.child)], [-15, -20]);
  assert.deepEqual([run.own, niceOfSession(run.harness)], [-15, -20]);
  assert.deepEqual([await run.giveBack(), niceOfSession(run.harness)], [0, 0]);
  assert.equal(getPriority(run.shell), 0);
  assert.deepEqual(readdirSync(state), [], 'no lease is left');
  await run.kill();
});

test('a harness that is killed leaves its session as it was, after the next start', {
  skip: skip || sessions,
}, async () => {
  const run = await start(byNice);
  await run.kill();
  assert.equal(niceOfSession(run.shell), -20);
  await removeLeftovers(); // another test may have been first
  assert.equal(niceOfSession(run.shell), 0);
  assert.deepEqual(readdirSync(state), []);
});

test('a session that somebody has raised already is given back by them alone', { skip: skip || sessions }, async () => {
  // a new session, since the kernel reports nothing of the one that the machine started with
  const words = [twoRuns, temporaryFolder(), temporaryFolder()];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const [before, ...later] = JSON.parse(await text(child.stdout)) as number[];
  assert.deepEqual(later, [before! - 1, before! - 1, before]);
});

/**
 * Groups of cgroup v1, and of cgroup v2 with another file for the weight, since v1 has the controller of the
 * processors.
 */
function places(): [string, Means['place'], string | undefined][] {
  const told = toldOfGroups();
  const v1 = findWeightPlace(told);
  const v2 = groupsOf(told);
  const [own, top] = [v2[0], v2.at(-1)];
  return [
    ['of the machine', 'obstacle' in v1 ? undefined : v1, 'obstacle' in v1 || v1.isUnified ? undefined : 'cpu'],
    [
      'of cgroup v2',
      own === undefined
        ? undefined
        : { own, top: top!, weight: { file: 'cgroup.max.depth', value: '9' }, isUnified: true },
      undefined,
    ],
  ];
}

for (const [name, place, controller] of skip === false ? places() : []) {
  const means: Means = { reading: { means: 'group', share: 1, obstacle: null }, place: place! };
  const skipped = place === undefined ? `no control group ${name} can be made` : false;
  const top = place?.top ?? '';
  /** May include groups of other runs. */
  const left = () => readdirSync(top).filter(entry => entry.startsWith('coexist-'));
  const madeOf = (group: string) => group.slice(top.length).split('/')[1]!;

  test(`by a control group ${name}: harness and program are in it until it is given back`, {
    skip: skipped,
  }, async () => {
    const run = await start(means);
    const [group] = groupsNow(run.child, controller);
    assert.deepEqual(groupsNow(run.harness, controller)[0], group);
    const made = madeOf(group!);
    assert.ok(left().includes(made), made);
    const { file, value } = place!.weight;
    assert.equal(readFileSync(`${top}/${made}/${file}`, 'utf8'), `${value}\n`);
    assert.deepEqual([getPriority(run.child), run.own], [-4, -4]);
    assert.equal(await run.giveBack(), 0);
    assert.deepEqual(
      [groupsNow(run.harness, controller)[0], groupsNow(run.child, controller)[0]],
      [place!.own, place!.own],
    );
    assert.ok(!left().includes(made), made);
    await run.kill();
  });

  test(`the control group ${name} of a harness that is killed is gone after the next start`, {
    skip: skipped,
  }, async () => {
    const run = await start(means);
    const made = madeOf(groupsNow(run.child, controller)[0]!);
    assert.ok(left().includes(made), made);
    await run.kill();
    await removeLeftovers(); // another test may have been first
    assert.ok(!left().includes(made), made);
  });
}
