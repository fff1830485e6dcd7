/**
 * `npm run test:soak -- [--hours N] [--seed N]`: short studies of every kind, one after the other, each left alone,
 * stopped, killed, with a part killed, on a disk that fills, or with a broken definition or folder, at random moments.
 * After each one the machine has what it had before, or the exit status is 3. Once in forty, one process runs many
 * trials.
 */

import { CoexistError, messageOf } from '../../core/errors.ts';
import { deriveSeed, seededRandom } from '../../core/random.ts';
import { nowMs } from '../../core/system/clock.ts';
import { until } from '../../core/system/deadline.ts';
import { parseArguments } from '../../harness/cli/arguments.ts';
import { runBench } from '../bench/support/bench.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';
import { noFirewall, OwnMachine } from '../long/support/own-machine.ts';
import { type Outcome, someTreatment, wordsOf, wrongEnd } from './cycles.ts';
import { type Amounts, amountsOfMachine, namespacesInUse, newThings, type Things, thingsOfMachine } from './machine.ts';
import { useOverTrials } from './process-use.ts';
import { type SoakStudy, studies } from './studies.ts';
import { growth, type Tolerance } from './trend.ts';

const usage = 'npm run test:soak -- [--hours N] [--seed N]';
const manyEvery = 40;
const trialsOfMany = 12;
/** A namespace, and what was in it, goes some time after its last process. */
const settleMs = 15_000;

const tolerances: Record<keyof Amounts, Tolerance & { title: string; unit: string }> = {
  kernelMemoryMiB: { title: 'kernel memory that cannot be taken back', unit: 'MiB', ratio: 0.2, amount: 64 },
  bpfPrograms: { title: 'BPF programs', unit: '', ratio: 0, amount: 4 },
  openFiles: { title: 'open files of the machine', unit: '', ratio: 0.1, amount: 256 },
};

const say = (text: string) => void process.stdout.write(`${text}\n`);

function readOptions(argv: string[]): { hours: number; seed: number } {
  const { values } = parseArguments(argv, { hours: { type: 'string' }, seed: { type: 'string' } }, usage);
  const [hours, seed] = [Number(values.hours ?? 1), Number(values.seed ?? 1)];
  if (!(hours > 0) || !Number.isInteger(seed))
    throw new CoexistError('usage', 'hours must be above 0, and the seed a whole number', { hint: usage });
  return { hours, seed };
}

/** What is new on the machine when everything had the time to go. */
async function leftBehind(place: Place, before: Things, known: ReadonlySet<string>): Promise<string[]> {
  let fresh: string[] = [];
  try {
    await until(
      async () => {
        fresh = newThings(before, await thingsOfMachine(place.path, known));
        return fresh.length === 0 ? true : undefined;
      },
      settleMs,
      'the machine to be as it was',
      { everyMs: 250 },
    );
  } catch {
    // what is left is told by name
  }
  const leases = place.leases();
  return [...fresh, ...(leases.length > 0 ? [`leases: ${leases.join(', ')}`] : [])].map(what => `left behind: ${what}`);
}

const placeOf = ({ isOnline }: SoakStudy, online: OwnMachine) => new Place(isOnline ? online.inside : []);

/** Runs every study once, undisturbed: those that this machine cannot run are named and left out. To how long each took, ms. */
async function possibleStudies(online: OwnMachine, obstacle: string | undefined): Promise<Map<SoakStudy, number>> {
  const possible = new Map<SoakStudy, number>();
  for (const study of studies) {
    if (study.isOnline && obstacle !== undefined) {
      say(`left out: ${study.name}: ${obstacle}`);
      continue;
    }
    const place = placeOf(study, online);
    const startMs = nowMs();
    try {
      const end = await place.run(wordsOf(study, place, place.out));
      const wrong = wrongEnd(end, [0, 2, 3]);
      if (wrong.length > 0) throw new CoexistError('trials-failed', `${study.name}: ${wrong.join('; ')}`);
      if (end.status === 2) say(`left out: ${study.name}: ${end.stderr.trim()}`);
      else possible.set(study, nowMs() - startMs);
    } finally {
      await place.run(['clean']);
      place.remove();
    }
  }
  if (possible.size === 0) throw new CoexistError('trials-failed', 'this machine runs none of the studies of a soak');
  return possible;
}

await runBench(async () => {
  const { hours, seed } = readOptions(process.argv.slice(2));
  if (cannotRun !== undefined) throw new CoexistError('no-root', `a soak ${cannotRun}`, { hint: 'run it with sudo' });
  const stop = { isAsked: false };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop.isAsked = true;
    });
  }
  const online = new OwnMachine();
  try {
    const obstacle = noFirewall ?? (await online.open().then(() => undefined, messageOf));
    return await soak({ online, obstacle, hours, seed, stop });
  } finally {
    await online.close();
  }
});

type Soak = {
  online: OwnMachine;
  /** Why nothing can be online; undefined where it can. */
  obstacle: string | undefined;
  hours: number;
  seed: number;
  stop: { isAsked: boolean };
};

async function soak({ online, obstacle, hours, seed, stop }: Soak): Promise<boolean> {
  const known = namespacesInUse();
  const possible = await possibleStudies(online, obstacle);
  if (stop.isAsked) return false;
  const minutes = ([...possible.values()].reduce((sum, ms) => sum + ms, 0) / 60e3).toFixed(1);
  say(`seed ${seed}, ${hours} h; ${possible.size} studies, which take ${minutes} min where nothing happens to them`);
  const endMs = nowMs() + hours * 3600e3;
  const amounts: Amounts[] = [];
  const failed: string[] = [];
  let cycle = 0;
  while (!stop.isAsked && nowMs() < endMs) {
    const random = seededRandom(deriveSeed(seed, 'cycle', ++cycle));
    const [study, usualMs] = [...possible][Math.floor(random.next() * possible.size)]!;
    const isOfMany = cycle % manyEvery === 0;
    const place = isOfMany ? new Place() : placeOf(study, online);
    const before = await thingsOfMachine(place.path, known);
    let outcome: Outcome;
    try {
      outcome = isOfMany
        ? await useOverTrials(trialsOfMany)
        : await someTreatment(random)({ place, study, random, usualMs });
      outcome.problems.push(...(await leftBehind(place, before, known)));
      if (study.isOnline)
        outcome.problems.push(...(await online.traces()).map(what => `left on the machine of its own: ${what}`));
    } finally {
      await place.run(['clean']);
      place.remove();
    }
    if (stop.isAsked) break; // Ctrl-C reached the study, too
    amounts.push(amountsOfMachine());
    const line = `cycle ${cycle}: ${isOfMany ? 'many trials' : study.name}, ${outcome.did}`;
    say(outcome.problems.length === 0 ? line : `${line}: WRONG: ${outcome.problems.join('; ')}`);
    if (outcome.problems.length > 0) failed.push(line);
  }
  let grew = false;
  for (const [key, { title, unit, ...tolerance }] of Object.entries(tolerances)) {
    const trend = growth(
      amounts.map(amount => amount[key as keyof Amounts]),
      tolerance,
    );
    grew ||= trend.grew;
    say(
      `${title}: ${trend.from?.toFixed(0)} to ${trend.to?.toFixed(0)} ${unit}${trend.grew ? ': it grew' : ''}`.trim(),
    );
  }
  say(`${amounts.length} cycles, ${failed.length} wrong (seed ${seed})`);
  return failed.length === 0 && !grew;
}
