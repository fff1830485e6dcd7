/** What a soak does to a study: lets it end, stops it, kills it, kills a part of it, fills its disk, breaks it. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../core/random.ts';
import { run } from '../../core/system/command.ts';
import { sleep } from '../../core/system/deadline.ts';
import { type Ended, namespacesOf, type Place, processesIn, type Session } from '../e2e/support/run-command.ts';
import type { SoakStudy } from './studies.ts';

export type Cycle = {
  place: Place;
  study: SoakStudy;
  random: Random;
  /** How long the study takes where nothing happens to it, ms. */
  usualMs: number;
};

/** What was done, in a few words, and what was wrong. */
export type Outcome = { did: string; problems: string[] };

/** No cycle takes longer; a command that does hangs. */
const longestMs = 180_000;

const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;

/** What no command may end with, however it was treated; `statuses`: how it may end. */
export function wrongEnd({ status, signal, stdout, stderr }: Ended, statuses: readonly number[]): string[] {
  const text = stdout + stderr;
  const last = stderr.trim().split('\n').slice(-3).join(' | ');
  return [
    ...(status === null || !statuses.includes(status)
      ? [`it ended with ${status ?? signal}, not ${statuses.join(' or ')}: ${last}`]
      : []),
    ...(/^\s+at .*(\.ts|node:internal\S*):\d+/m.test(text) ? [`it printed a stack trace: ${last}`] : []),
    ...(/UnhandledPromise|MaxListenersExceeded/.test(text) ? [`it printed a warning of Node: ${last}`] : []),
  ];
}

/**
 * The same of a study that was sent a signal. One that comes when the study cannot handle it ends it by itself, and a
 * shell gives that the status of a handled one: before the study has said anything, or while Node ends, when the study
 * has nothing any more. `leases`: how many it has left.
 */
export function wrongEndAfter(signal: NodeJS.Signals, end: Ended, leases: number): string[] {
  const hasWorked = /^(report|it runs): /m.test(end.stdout);
  const isUnhandled = end.signal === signal && end.stderr === '' && leases === 0 && (end.stdout === '' || hasWorked);
  return isUnhandled ? [] : wrongEnd(end, [0, 3, 129, 130, 143]);
}

/** `out`: where it keeps its run, where it keeps one. */
export const wordsOf = ({ words, command }: SoakStudy, { path }: Place, out: string): string[] => [
  ...words(path),
  ...(command === null ? [] : ['--out', out]),
];

const started = ({ place, study }: Cycle, out = place.out): Session => place.start(wordsOf(study, place, out));

async function ended(session: Session): Promise<Ended> {
  try {
    return await session.finish(longestMs);
  } catch {
    return { status: null, signal: null, stdout: session.stdout, stderr: `${session.stderr}\nit hung and was killed` };
  }
}

/** A moment of the study, somewhat beyond its usual end included. */
async function untilSomeMoment({ random, usualMs }: Cycle, session: Session): Promise<string> {
  const ms = random.next() * usualMs * 1.1;
  await Promise.race([sleep(ms), session.ended]);
  return `after ${(ms / 1000).toFixed(1)} s`;
}

const counted = (place: Place) => place.trials().filter(name => !name.includes('.void'));

/** Goes on with what is there, if it had come as far as a plan. */
async function resume({ place }: Cycle, command: string, before: readonly string[]): Promise<string[]> {
  const again = await ended(place.start([command, '--resume', place.out]));
  const lost = before.filter(name => !counted(place).includes(name));
  return [
    ...wrongEnd(again, [0, 1, 3]),
    ...(lost.length > 0 ? [`finished trials were lost: ${lost.join(', ')}`] : []),
    ...(again.status === 1 && !/plan/.test(again.stderr) ? [`it could not go on: ${again.stderr.trim()}`] : []),
  ];
}

async function complete(cycle: Cycle): Promise<Outcome> {
  return { did: 'left alone', problems: wrongEnd(await ended(started(cycle)), [0, 3]) };
}

async function interrupt(cycle: Cycle): Promise<Outcome> {
  const session = started(cycle);
  const signal = oneOf(cycle.random, ['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
  const when = await untilSomeMoment(cycle, session);
  session.process.kill(signal);
  const end = await ended(session);
  return { did: `${signal} ${when}`, problems: wrongEndAfter(signal, end, cycle.place.leases().length) };
}

async function kill(cycle: Cycle): Promise<Outcome> {
  const {
    place,
    study: { command },
  } = cycle;
  const session = started(cycle);
  const when = await untilSomeMoment(cycle, session);
  session.process.kill('SIGKILL');
  await session.ended;
  const before = counted(place);
  const goesOn = cycle.random.next() < 0.5 && command !== null;
  const problems = goesOn ? await resume(cycle, command, before) : wrongEnd(await ended(place.start(['clean'])), [0]);
  return { did: `SIGKILL ${when}, then ${goesOn ? '--resume' : 'clean'}`, problems };
}

async function killPart(cycle: Cycle): Promise<Outcome> {
  const { place, random } = cycle;
  const session = started(cycle);
  const when = await untilSomeMoment(cycle, session);
  const namespaces = await namespacesOf(place.state);
  const namespace = namespaces.length === 0 ? undefined : oneOf(random, namespaces);
  const pids = namespace === undefined ? [] : await processesIn(namespace, '');
  let what = 'nothing';
  if (pids.length > 0) {
    const pid = oneOf(random, pids);
    const { stdout: name } = await run(['cat', `/proc/${pid}/comm`], { allowFailure: true });
    what = name.trim() || 'a process';
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      what = 'nothing';
    }
  }
  return { did: `${what} killed ${when}`, problems: wrongEnd(await ended(session), [0, 3]) };
}

async function fillDisk(cycle: Cycle): Promise<Outcome> {
  const { place, random } = cycle;
  const disk = join(place.path, 'disk');
  const sizeKiB = Math.round(64 * 32 ** random.next());
  mkdirSync(disk);
  await run(['mount', '-t', 'tmpfs', '-o', `size=${sizeKiB}k`, 'tmpfs', disk]);
  try {
    const end = await ended(started(cycle, join(disk, 'run')));
    const problems = wrongEnd(end, [0, 3, 5]);
    if (end.status === 5 && !/disk full/.test(end.stderr)) problems.push(`it ended with 5: ${end.stderr.trim()}`);
    return { did: `a disk of ${sizeKiB} KiB`, problems };
  } finally {
    await run(['umount', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

/** Cuts a file off, or changes a byte of it. */
function damage(random: Random, path: string): void {
  if (random.next() < 0.5) return truncateSync(path, Math.floor(random.next() * statSync(path).size));
  const bytes = readFileSync(path);
  if (bytes.length > 0) bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
  writeFileSync(path, bytes);
}

/** The plan of a folder, or the record of one of its trials, is damaged before somebody goes on with it. */
async function breakFolder(cycle: Cycle): Promise<Outcome> {
  const {
    place,
    random,
    study: { command },
  } = cycle;
  const problems = wrongEnd(await ended(started(cycle)), [0, 3]);
  const files = ['plan.json', ...place.trials().map(name => join('trials', name, 'trial.json'))]
    .map(name => join(place.out, name))
    .filter(path => existsSync(path));
  if (command === null || files.length === 0) return { did: 'left alone', problems };
  const file = oneOf(random, files);
  damage(random, file);
  const again = await ended(place.start([command, '--resume', place.out]));
  problems.push(...wrongEnd(again, [0, 1, 3]));
  if (again.status === 1 && !/\S/.test(again.stderr)) problems.push('it was refused without a word');
  return { did: `a damaged ${file.endsWith('plan.json') ? 'plan' : 'trial'}, then --resume`, problems };
}

/** A definition cut off, or with a byte changed. */
async function breakDefinition(cycle: Cycle): Promise<Outcome> {
  const { place, random } = cycle;
  const path = join(place.path, 'mine.json');
  const definition = JSON.stringify({
    title: 'Mine',
    question: 'Is it refused in one line?',
    source: 'own',
    link: { rate: '20mbit', queue: { limit: '250ms' } },
    service: { id: 'live-clip' },
    run: { window: '1s', repeats: 1 },
  });
  writeFileSync(path, definition);
  damage(random, path);
  const end = await ended(place.start(['experiment', path, '--dry-run']));
  // a changed letter of a title, or a digit of a number, is a definition as good as the other
  const problems = wrongEnd(end, [0, 1]);
  if (end.status === 1 && !/\S/.test(end.stderr)) problems.push('it was refused without a word');
  return { did: 'a broken definition', problems };
}

/** What can be done to a study, and how often, in parts of all. */
export const treatments: readonly { weight: number; treat(cycle: Cycle): Promise<Outcome> }[] = [
  { weight: 2, treat: complete },
  { weight: 3, treat: interrupt },
  { weight: 4, treat: kill },
  { weight: 3, treat: killPart },
  { weight: 1, treat: fillDisk },
  { weight: 1, treat: breakDefinition },
  { weight: 1, treat: breakFolder },
];

export function someTreatment(random: Random): (cycle: Cycle) => Promise<Outcome> {
  let left = random.next() * treatments.reduce((sum, { weight }) => sum + weight, 0);
  return (treatments.find(({ weight }) => (left -= weight) < 0) ?? treatments[0]!).treat;
}
