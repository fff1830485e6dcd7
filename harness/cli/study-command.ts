/**
 * Shared by the commands that run a study from a definition, `experiment` and `game`: options, loading of the
 * definition, resuming a folder, and the steps of a run, from removing what a killed run left to writing the report.
 */
import { join } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { fileKeysOf, withFilesBeside } from '../../core/files-beside.ts';
import type { MachineTurn } from '../../core/machine-turn.ts';
import { giveBack } from '../../core/ownership.ts';
import { runsFolder } from '../../core/paths.ts';
import { type LabMachine, readHostsFile } from '../../shaper/topology/ssh/hosts-file.ts';
import { findBrowser } from '../browser/find.ts';
import type { Chosen } from '../experiment/applications.ts';
import type { LoadedStudy } from '../experiment/load.ts';
import { isTree, parseAssignment, withAssignments, withValue } from '../experiment/set.ts';
import type { Planner } from '../planner/planner.ts';
import { RunFolder } from '../record/run-folder.ts';
import { hashesOf, requireSameSoftware, type Software } from '../record/software.ts';
import { readVersions } from '../record/versions.ts';
import { describeCleaned, removeLeftovers } from '../runner/leftovers.ts';
import { loadRegistries, type RunnerRegistries } from '../runner/registries.ts';
import { runStudy, type StudyOptions } from '../runner/study.ts';
import { againCommand } from './again.ts';
import { parseArguments, wholeNumber } from './arguments.ts';
import { fileLines } from './file-lines.ts';
import { onStudyInterruption } from './interruption.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson, requireNotTheStudy } from './json-output.ts';
import { kernelNotes } from './kernel-notes.ts';
import { loadOfPrograms, machineWords, type StudyNeeds } from './machine-line.ts';
import { checkQueueOption, isHere, overQueue } from './over-queue.ts';
import { print } from './print.ts';
import { checkTurnOptions, type TurnValues, takeTurn, turnOptions, turnUsage } from './take-turn.ts';

const options = {
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'string' },
  'despite-changes': { type: 'boolean' },
  headed: { type: 'boolean' },
  queue: { type: 'string' },
  ...jsonOption,
  ...turnOptions,
  list: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

const repeatsOption = { repeats: { type: 'string' } } as const;
const hostsOption = { hosts: { type: 'string' } } as const;

type Values = TurnValues & {
  repeats?: string;
  set?: string[];
  out?: string;
  resume?: string;
  'despite-changes'?: boolean;
  headed?: boolean;
  queue?: string;
  hosts?: string;
  json?: string;
};

type KeptPlan = {
  format: unknown;
  study: string;
  definition: object;
  run: { parallel: number; priority: boolean; preflight: boolean };
};

/** What a run came to. */
type Finished = {
  summary: object;
  summaryPath: string;
  reportPath: string;
  /** Said on the terminal, a line each. */
  lines: string[];
  /** What has no result, in a sentence; null where everything has one. */
  missing: string | null;
  /** What helps where another try would end the same way; `all`: it would for everything that is missing. */
  advice?: { words: readonly string[]; all: boolean };
  /** Throws what the summary does not keep to. */
  refuse?: () => void;
};

/** A run that is about to begin. */
export type Running = {
  planner: Planner;
  progress: StudyOptions['progress'] & { say(text: string): void };
  /** Said before the first trial. */
  begins: string;
  finish(signal: AbortSignal): Promise<Finished>;
};

/** `P`: the plan of such a study. */
export type StudyKind<P extends KeptPlan> = {
  /** As in "npm run experiment". */
  command: 'experiment' | 'game';
  /** What people call it. */
  noun: string;
  /** Takes `--repeats`. */
  hasRepeats: boolean;
  /** Of the shipped one that is run where none is named. */
  defaultName: string;
  /** Of its folders' plan.json, where it is not an experiment's. */
  format?: string;
  /** Most trials in a queue at the same time. */
  mostAhead: number;
  names(): Promise<string[]>;
  load(nameOrFile: string): Promise<LoadedStudy<P['definition']>>;
  /** `changes`: what `--set` changed, as it was written. Throws `bad-definition`. */
  makePlan(
    study: string,
    definition: P['definition'],
    registries: RunnerRegistries,
    changes: readonly string[] | undefined,
  ): P | Promise<P>;
  /** The plan of a folder, made anew from its definition. */
  planAgain(kept: P, registries: RunnerRegistries, path: string): P | Promise<P>;
  /** Throws where this machine cannot run it. */
  check(plan: P, registries: RunnerRegistries, headed: boolean): Promise<void>;
  /** Takes `--hosts`: throws where other machines cannot run it. */
  checkOverMachines?(plan: P, registries: RunnerRegistries): void;
  /** Whole paths of the clips, traces and scripts that it names. */
  files(plan: P, registries: RunnerRegistries): string[];
  /** What its trials use. */
  services(plan: P, registries: RunnerRegistries): Chosen[];
  describe(plan: P, registries: RunnerRegistries): string;
  /** What its trials ask of this machine. */
  needs(plan: P, registries: RunnerRegistries): StudyNeeds;
  /** `out`: where progress is told. */
  begin(plan: P, folder: RunFolder<P>, registries: RunnerRegistries, out: NodeJS.WriteStream): Promise<Running>;
};

/** Runs the command; returns its exit status. */
export async function runStudyCommand<P extends KeptPlan>(kind: StudyKind<P>, argv: string[]): Promise<number> {
  const usage = usageOf(kind);
  const { values: given, positionals } = parseArguments(
    argv,
    {
      ...(kind.hasRepeats ? repeatsOption : {}),
      ...(kind.checkOverMachines === undefined ? {} : hostsOption),
      ...options,
    },
    usage,
  );
  const values = given as typeof given & Values;
  if (values.list === true) return list(kind);
  requireNotTheStudy(values.json, argv, positionals, values.resume !== undefined);
  checkQueueOption(values);
  checkTurnOptions(values);
  const machines = machinesOf(values);
  if (positionals.length > 1)
    throw new CoexistError('usage', `one ${kind.noun} at a time: ${positionals.join(', ')}`, { hint: usage });
  prepareJson(values.json);
  const registries = await loadRegistries();
  if (values.resume !== undefined) return resume(kind, values.resume, positionals, values, registries, machines);
  const plan = await planOf(kind, positionals[0] ?? kind.defaultName, values, registries);
  if (values['dry-run'] === true) {
    const chosen = kind.services(plan, registries);
    // clips and traces are opened whatever is printed: one that cannot be used is refused
    const [described, files] = [kind.describe(plan, registries), await fileLines(chosen, registries)];
    const written = putJson(values.json, plan, { indent: 1 });
    if (values.json !== undefined) return print(written);
    const notes = await kernelNotes(chosen, registries);
    const machine = await aboutMachine(kind, plan, registries, { ...values, machines });
    return print(`${described}${files}${notes}${machine === undefined ? '' : `${machine}\n`}`);
  }
  await check(kind, plan, registries, values, machines);
  const path = values.out ?? join(runsFolder, `${plan.study}-${stamp(new Date())}`);
  const software = await softwareOf(kind, plan, registries, machines);
  const folder = RunFolder.create<P>(path, { plan, ...software, createdMs: Date.now() });
  return execute(kind, plan, folder, software, registries, values, machines);
}

/** The machines of `--hosts`. Throws `usage` where options do not go together. */
function machinesOf({ hosts, queue, headed }: Values): readonly LabMachine[] | undefined {
  if (hosts === undefined) return undefined;
  if (queue !== undefined)
    throw new CoexistError(
      'usage',
      '--hosts cannot be combined with --queue: the machines of a lab, or workers, run the trials',
      {
        hint: 'leave out one of them',
      },
    );
  if (headed === true)
    throw new CoexistError('usage', '--headed shows a browser on this machine, and --hosts runs it on another one', {
      hint: 'leave out one of them',
    });
  return readHostsFile(hosts);
}

/** Throws where it cannot run: on this machine, or over others. */
async function check<P extends KeptPlan>(
  kind: StudyKind<P>,
  plan: P,
  registries: RunnerRegistries,
  { queue, headed }: Values,
  machines: readonly LabMachine[] | undefined,
): Promise<void> {
  if (machines !== undefined) kind.checkOverMachines!(plan, registries);
  else if (isHere(queue)) await kind.check(plan, registries, headed === true);
}

/** Undefined where other machines run the trials. */
async function aboutMachine<P extends KeptPlan>(
  { needs }: StudyKind<P>,
  plan: P,
  registries: RunnerRegistries,
  {
    queue,
    machines,
    signal,
  }: { queue?: string | undefined; machines: readonly LabMachine[] | undefined; signal?: AbortSignal },
): Promise<string | undefined> {
  if (machines !== undefined || !isHere(queue)) return undefined;
  return machineWords(await loadOfPrograms(signal), needs(plan, registries));
}

function usageOf<P extends KeptPlan>({ command, hasRepeats, checkOverMachines }: StudyKind<P>): string {
  return (
    `npm run ${command} -- [NAME|FILE]${hasRepeats ? ' [--repeats N]' : ''} [--set path=value ...] [--out DIR] ` +
    '[--resume DIR [--despite-changes]] [--headed] [--queue local|postgres://...] ' +
    turnUsage +
    `${checkOverMachines === undefined ? '' : ' [--hosts FILE]'} ${jsonUsage} [--list] [--dry-run]`
  );
}

async function planOf<P extends KeptPlan>(
  { load, makePlan }: StudyKind<P>,
  nameOrFile: string,
  values: Values,
  registries: RunnerRegistries,
): Promise<P> {
  const { study, definition, folder } = await load(nameOrFile);
  const { set = [] } = values;
  let changed = withAssignments(definition, set);
  // what --set has replaced is nobody's any more, and what it has put there is the user's own
  if (folder !== null) {
    const own = set.map(assignment => parseAssignment(assignment).path);
    changed = withFilesBeside(changed, folder, fileKeysOf(registries.services), nameOrFile, own);
  }
  if (values.repeats !== undefined)
    changed = withValue(changed, 'run.repeats', wholeNumber(values.repeats, 'repeats', 1));
  return makePlan(study, changed, registries, values.set);
}

async function resume<P extends KeptPlan>(
  kind: StudyKind<P>,
  path: string,
  positionals: string[],
  values: Values,
  registries: RunnerRegistries,
  machines: readonly LabMachine[] | undefined,
): Promise<number> {
  const { command, noun, hasRepeats, format } = kind;
  const again = againCommand(command, path, values);
  if (positionals.length > 0 || values.set !== undefined || values.out !== undefined || values.repeats !== undefined) {
    throw new CoexistError(
      'usage',
      `--resume goes on with the plan in the folder; it takes no ${noun}, --set${hasRepeats ? ', --repeats' : ''} or --out`,
      { hint: again },
    );
  }
  const { plan: kept, ...before } = RunFolder.open<P>(path, format).planFile();
  const plan = await kind.planAgain(kept, registries, path);
  const software = await softwareOf(kind, plan, registries, machines);
  // before a check opens what a stranger's plan names
  const changes = requireSameSoftware(before, software, { despiteChanges: values['despite-changes'] === true, again });
  await check(kind, plan, registries, values, machines);
  if (changes.length > 0) print(`changed since the study began: ${changes.join('; ')}\n`, process.stderr);
  return execute(kind, plan, RunFolder.resume<P>(path, format), software, registries, values, machines);
}

/** The definition in the plan of a folder, which may be a stranger's. Throws `bad-run-folder` where it has none. */
export function keptDefinition<D extends object>(
  { study, definition }: { study: string; definition: D },
  path: string,
  noun: string,
): { study: string; definition: D } {
  if (typeof study !== 'string' || !isTree(definition))
    throw new CoexistError('bad-run-folder', `the plan in ${path} has no definition`, { hint: `run the ${noun} anew` });
  return { study, definition };
}

async function softwareOf<P extends KeptPlan>(
  { files }: StudyKind<P>,
  plan: P,
  registries: RunnerRegistries,
  machines: readonly LabMachine[] | undefined,
): Promise<Software> {
  return {
    versions: await readVersions(findBrowser()),
    files: hashesOf(files(plan, registries)),
    ...(machines === undefined ? {} : { hosts: machines.map(({ name }) => name) }),
  };
}

async function execute<P extends KeptPlan>(
  kind: StudyKind<P>,
  plan: P,
  folder: RunFolder<P>,
  software: Software,
  registries: RunnerRegistries,
  values: Values,
  machines: readonly LabMachine[] | undefined,
): Promise<number> {
  const { command, mostAhead } = kind;
  const { queue, json, headed = false } = values;
  const out = json === printed ? process.stderr : process.stdout;
  const again = againCommand(command, folder.path, values);
  let say = (text: string): void => void print(`${text}\n`, out);
  let turn: MachineTurn | undefined;
  try {
    const signal = onStudyInterruption(text => say(text), again);
    const { planner, progress, begins, finish } = await kind.begin(plan, folder, registries, out);
    say = text => progress.say(text);
    if (isHere(queue) && machines === undefined && planner.left > 0) {
      const what = `${command} ${plan.study}, results in ${folder.path}`;
      turn = await takeTurn({ ...values, what, say, signal });
    }
    const cleaned = isHere(queue) ? describeCleaned(await removeLeftovers()) : undefined;
    if (cleaned !== undefined) say(cleaned);
    say(begins);
    const machine = await aboutMachine(kind, plan, registries, { queue, machines, signal });
    if (machine !== undefined && planner.left > 0) say(machine);
    const { parallel: lanes, priority, preflight } = plan.run;
    const study = { planner, folder, software, registries, priority, preflight, headed, progress };
    if (queue === undefined)
      await runStudy({ ...study, ...(machines === undefined ? {} : { machines }), lanes, signal });
    else {
      const lane = {
        study: planner.study,
        places: planner.places,
        priority,
        preflight,
        keep: 1,
        privateNetworks: false,
      };
      const { files } = software;
      await overQueue({ queue, kind: command, plan, files, folder, lane, say, signal }, queued =>
        runStudy({ ...study, ...queued, lanes: mostAhead }),
      );
    }
    return conclude(await finish(signal), { json, say, again });
  } finally {
    turn?.release();
    folder.release();
    giveBack(folder.path);
  }
}

/**
 * Says what a run came to. Throws `trials-failed` or what `refuse` throws, after all of it: who missed a threshold
 * looks for the results most of all. `out`: for tests.
 */
export function conclude(
  { summary, summaryPath, reportPath, lines, missing, advice = { words: [], all: false }, refuse }: Finished,
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
  refuse?.();
  return exitStatus.done;
}

/** "2026-11-20T10-39-05Z": the time in UTC, fit for a file name. */
export function stamp(date: Date): string {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

async function list<P extends KeptPlan>({ names, load }: StudyKind<P>): Promise<number> {
  const all = await names();
  const width = Math.max(...all.map(({ length }) => length));
  const lines = [];
  for (const name of all) {
    const { title } = (await load(name)).definition as { title: string };
    lines.push(`${name.padEnd(width)}  ${title}`);
  }
  return print(`${lines.join('\n')}\n`);
}
