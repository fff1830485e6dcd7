/** Runs a study of any kind: waits for its turn on this machine, runs all trials, and writes summary and report. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { giveBack } from '../../core/system/ownership.ts';
import type { LabMachine } from '../../shaper/topology/ssh/hosts-file.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { hashesOf, type Software } from '../record/software.ts';
import { readVersions } from '../record/versions.ts';
import { refuseMissed } from '../studies/missed.ts';
import type { Finished, OptionValues, Running, StudyKind, StudyPlan } from '../studies/study.ts';
import { watchStudy } from '../studies/watch.ts';
import { findBrowser } from '../trial/browser/find.ts';
import { describeCleaned, removeLeftovers } from '../trial/leftovers.ts';
import { namedFiles } from '../trial/named-files.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import { runStudy } from '../trial/study.ts';
import { againCommand } from './again.ts';
import { onStudyInterruption } from './interruption.ts';
import { printed, putJson } from './json-output.ts';
import { loadOfPrograms, machineWords } from './machine-line.ts';
import { isHere, overQueue } from './over-queue.ts';
import { print } from './print.ts';
import { takeTurn } from './take-turn.ts';

/** Values of the options that all kinds of study have, and of the options of this kind. */
export type StudyValues = OptionValues & {
  set?: string[];
  seed?: string;
  out?: string;
  resume?: string;
  'despite-changes'?: boolean;
  watch?: boolean;
  headed?: boolean;
  queue?: string;
  hosts?: string;
  json?: string;
  wait?: boolean;
  beside?: boolean;
  list?: boolean;
  'dry-run'?: boolean;
};

/** Study to run: its kind and plan, and the user's options. */
export type Session = {
  kind: StudyKind;
  plan: StudyPlan;
  values: StudyValues;
  registries: RunnerRegistries;
  /** Machines that `--hosts` names; undefined without this option. */
  machines: readonly LabMachine[] | undefined;
};

/** Signal that interrupts a running study, and the outputs to print to. */
type Means = { signal: AbortSignal; say(text: string): void; out: NodeJS.WriteStream };

const runsHere = ({ values: { queue }, machines }: Session) => machines === undefined && isHere(queue);

/** Returns the versions that are installed now, and the files that the study uses. */
export async function softwareOf({ kind, plan, registries, machines }: Omit<Session, 'values'>): Promise<Software> {
  const files = hashesOf(namedFiles(kind.conditions(plan, registries), registries.services));
  kind.checkFiles?.(plan, files, registries);
  return {
    versions: await readVersions(findBrowser()),
    files,
    ...(machines === undefined ? {} : { hosts: machines.map(({ name }) => name) }),
  };
}

/** Returns the message on the load of this machine; undefined if other machines run the trials. */
export async function aboutMachine(session: Session, signal?: AbortSignal): Promise<string | undefined> {
  const { kind, plan, registries } = session;
  if (!runsHere(session)) return undefined;
  return machineWords(await loadOfPrograms(signal), kind.needs(plan, registries));
}

/** Number of concurrent trials. The machines of a lab carry one. */
const lanesOf = ({ kind, plan, machines }: Session) =>
  machines === undefined ? (kind.lanes?.(plan) ?? plan.run.parallel) : 1;

const againOf = ({ kind, plan, values }: Session, path: string) =>
  againCommand(kind, path, { ...values, ...kind.allowedBy?.(plan) });

/**
 * Waits for the study's turn on this machine if trials are left to run (`isLeft`), removes what a killed run left
 * behind, and runs `body`. Releases the turn afterwards.
 */
async function inTurn<T>(session: Session, path: string, isLeft: boolean, means: Means, body: () => Promise<T>) {
  const { kind, plan, values } = session;
  const { say, signal } = means;
  const what = `${kind.id} ${plan.study ?? plan.title}, results in ${path}`;
  const turn = runsHere(session) && isLeft ? await takeTurn({ ...values, what, say, signal }) : undefined;
  try {
    const cleaned = isHere(values.queue) ? describeCleaned(await removeLeftovers()) : undefined;
    if (cleaned !== undefined) say(cleaned);
    return await body();
  } finally {
    turn?.release();
  }
}

/** Runs the trials that a run folder does not have yet, and writes the results. */
export async function runTrials(
  session: Session,
  { planner, progress, begins, finish }: Running,
  folder: RunFolder<StudyPlan>,
  software: Software,
  { signal }: Pick<Means, 'signal'>,
): Promise<Finished> {
  const { kind, plan, registries, machines, values } = session;
  const { queue, headed = false } = values;
  const say = (text: string) => progress.say(text);
  say(begins);
  const machine = planner.left > 0 ? await aboutMachine(session, signal) : undefined;
  if (machine !== undefined) say(machine);
  const { priority, preflight, privateNetworks = false } = plan.run;
  const settings = { priority, preflight, privateNetworks, keep: kind.keep ?? 1 };
  const study = { planner, folder, software, registries, headed, progress, ...settings };
  const hosts = machines === undefined ? {} : { machines };
  if (queue === undefined) await runStudy({ ...study, ...hosts, lanes: lanesOf(session), signal });
  else {
    const { study: name, places, hops = 1, spans } = planner;
    const row = spans === undefined ? { hops } : { hops, spans };
    const lane = { study: name, places, ...row, ...settings };
    await overQueue({ queue, kind: kind.id, plan, files: software.files, folder, lane, say, signal }, queued =>
      runStudy({ ...study, ...queued, lanes: kind.mostAhead }),
    );
  }
  return finish(signal);
}

/**
 * Returns the signal and the outputs of a command. `how`: prints lines; the run replaces it when its progress display
 * has started.
 */
function begin(session: Session, path: string): Means & { how: { say(text: string): void } } {
  const out = session.values.json === printed ? process.stderr : process.stdout;
  const how = { say: (text: string) => void print(`${text}\n`, out) };
  const say = (text: string) => how.say(text);
  return { out, how, say, signal: onStudyInterruption(say, againOf(session, path)) };
}

/** Prepares a run in its folder. From then on lines are printed by the progress display of the run. */
async function beginIn(
  { kind, plan, registries }: Session,
  folder: RunFolder<StudyPlan>,
  { how, out }: ReturnType<typeof begin>,
): Promise<Running> {
  const running = await kind.begin(plan, folder, registries, out);
  how.say = text => running.progress.say(text);
  return running;
}

/** Runs a study in its run folder and then releases the folder. Returns the exit status. */
export async function execute(session: Session, folder: RunFolder<StudyPlan>, software: Software): Promise<number> {
  const { values } = session;
  try {
    const means = begin(session, folder.path);
    const running = await beginIn(session, folder, means);
    return await inTurn(session, folder.path, running.planner.left > 0, means, async () => {
      const finished = await runTrials(session, running, folder, software, means);
      return conclude(finished, { json: values.json, say: means.say, again: againOf(session, folder.path) });
    });
  } finally {
    folder.release();
    giveBack(folder.path);
  }
}

/** Runs a study again and again until it is interrupted. */
export async function watch(session: Session, path: string): Promise<never> {
  const { kind, plan, values } = session;
  if (values.json !== undefined)
    throw new CoexistError('usage', '--json needs a study that ends', { hint: 'leave out --json, or --watch' });
  const means = begin(session, path);
  const { signal, say } = means;
  const software = () => softwareOf(session);
  return inTurn(session, path, true, means, () =>
    watchStudy(path, {
      kind,
      plan,
      values,
      software,
      again: againOf(session, path),
      signal,
      say,
      async run(folder) {
        const running = await beginIn(session, folder, means);
        return runTrials(session, running, folder, await software(), means);
      },
    }),
  );
}

/**
 * Prints the results of a run, and then throws `trials-failed` or `thresholds-missed` if there is reason. The results
 * come first because a user who missed a threshold needs them most. `out`: stream to print to; for tests.
 */
export function conclude(
  { summary, summaryPath, reportPath, lines, missing, advice = { words: [], all: false } }: Finished,
  { json, say, again }: { json: string | undefined; say: (text: string) => void; again: string },
  out: NodeJS.WritableStream = process.stdout,
): number {
  for (const line of lines) say(line);
  const written = putJson(json, summary, { out });
  if (json !== printed) print(`summary: ${summaryPath}\nreport:  ${reportPath}\n${written}`, out);
  if (missing !== null) {
    const hints = [
      `the report says why (${reportPath})`,
      ...advice.words,
      ...(advice.words.length > 0 && advice.all ? [] : [`run them again with: ${again}`]),
    ];
    throw new CoexistError('trials-failed', missing, { hint: hints.join('; ') });
  }
  refuseMissed({ summary, reportPath });
  return exitStatus.done;
}
