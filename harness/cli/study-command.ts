/**
 * Command of one kind of study: parses its options, loads the definition, and prints a dry run, starts the study or
 * continues it in its folder.
 */
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { fileKeysOf, withFilesBeside } from '../../core/schema/files-beside.ts';
import { runsFolder } from '../../core/system/paths.ts';
import { wholeNumber } from '../../core/text/whole-number.ts';
import { type LabMachine, readHostsFile } from '../../shaper/topology/ssh/hosts-file.ts';
import { requireSound } from '../analysis/gate/gate.ts';
import { servicesOf } from '../definition/conditions.ts';
import { parseAssignment, withAssignments, withValue } from '../definition/set.ts';
import { lastCycle } from '../record/cycles.ts';
import { RunFolder } from '../record/run-folder.ts';
import { requireSameSoftware } from '../record/software.ts';
import type { StudyKind, StudyPlan } from '../studies/study.ts';
import { checkOverMachines } from '../trial/check-machines.ts';
import { loadRegistries, type RunnerRegistries } from '../trial/registries.ts';
import { againCommand } from './again.ts';
import { parseArguments } from './arguments.ts';
import { fileLines } from './file-lines.ts';
import { jsonOption, jsonUsage, prepareJson, putJson, requireNotTheStudy } from './json-output.ts';
import { kernelNotes } from './kernel-notes.ts';
import { checkQueueOption, isHere } from './over-queue.ts';
import { print } from './print.ts';
import { aboutMachine, execute, type Session, type StudyValues, softwareOf, watch } from './run-study.ts';
import { checkTurnOptions, turnOptions, turnUsage } from './take-turn.ts';

const options = {
  set: { type: 'string', multiple: true },
  seed: { type: 'string' },
  out: { type: 'string' },
  resume: { type: 'string' },
  watch: { type: 'boolean' },
  'despite-changes': { type: 'boolean' },
  headed: { type: 'boolean' },
  queue: { type: 'string' },
  hosts: { type: 'string' },
  ...jsonOption,
  ...turnOptions,
  list: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

/** Runs the command. Returns the exit status. */
export async function runStudyCommand(kind: StudyKind, argv: string[]): Promise<number> {
  const usage = usageOf(kind);
  const { values: given, positionals } = parseArguments(argv, { ...kind.options, ...options }, usage);
  const values = given as StudyValues;
  if (values.list === true) return list(kind);
  requireNotTheStudy(values.json, argv, positionals, values.resume !== undefined);
  checkQueueOption(values);
  checkTurnOptions(values);
  const machines = machinesOf(values);
  if (positionals.length > 1)
    throw new CoexistError('usage', `one ${kind.noun} at a time: ${positionals.join(', ')}`, { hint: usage });
  prepareJson(values.json);
  const registries = await loadRegistries();
  if (values.resume !== undefined) return resume({ kind, values, registries, machines }, values.resume, positionals);
  const chosen = withSeed(values);
  const plan = await planOf(kind, positionals[0], chosen, registries);
  const session: Session = { kind, values: chosen, registries, machines, plan };
  if (values['dry-run'] === true) return dryRun(session);
  await check(session);
  const path = values.out ?? join(runsFolder, `${plan.study ?? kind.id}-${stamp(new Date())}`);
  if (values.watch === true) return watch(session, path);
  const software = await softwareOf(session);
  return execute(session, RunFolder.create<StudyPlan>(path, { plan, ...software, createdMs: Date.now() }), software);
}

/** Returns the options with `--seed N` written as the assignment that it stands for. */
function withSeed(values: StudyValues): StudyValues {
  const { seed, set = [], ...others } = values;
  return seed === undefined ? values : { ...others, set: [...set, `run.seed=${wholeNumber(seed, 'seed', 0)}`] };
}

async function dryRun(session: Session): Promise<number> {
  const { kind, plan, registries, values } = session;
  const services = servicesOf(kind.conditions(plan, registries));
  // clips and traces are opened even if only the plan is printed, so that unusable files are refused
  const [described, files] = [kind.describe(plan, registries), await fileLines(services, registries)];
  const written = putJson(values.json, plan, { indent: 1 });
  if (values.json !== undefined) return print(written);
  const notes = await kernelNotes(services, registries);
  const machine = await aboutMachine(session);
  return print(`${described}${files}${notes}${machine === undefined ? '' : `${machine}\n`}`);
}

/**
 * Returns the machines that `--hosts` names; undefined without this option. Throws `usage` if `--hosts` is combined
 * with an option that does not fit.
 */
function machinesOf({ hosts, queue, headed }: StudyValues): readonly LabMachine[] | undefined {
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

/** Throws if the study cannot run on this machine or, with `--hosts`, on the machines of the lab. */
async function check({ kind, plan, registries, values: { queue, headed }, machines }: Session): Promise<void> {
  if (machines !== undefined)
    return checkOverMachines(kind.conditions(plan, registries), plan.run.parallel, registries);
  if (!isHere(queue)) return;
  for (const line of await kind.check(plan, registries, headed === true)) print(`${line}\n`, process.stderr);
}

function usageOf({ id, usage }: StudyKind): string {
  return (
    `npm run ${id} -- [NAME|FILE] ${usage === undefined ? '' : `${usage} `}[--set path=value ...] [--seed N] ` +
    '[--out DIR] [--watch] [--resume DIR [--despite-changes]] [--headed] [--queue local|postgres://...] ' +
    `${turnUsage} [--hosts FILE] ${jsonUsage} [--list] [--dry-run]`
  );
}

/**
 * Returns the plan of a study that is given by its name or file. Throws an error that names the first fault in the
 * definition.
 */
export async function planOf(
  kind: StudyKind,
  named: string | undefined,
  values: StudyValues,
  registries: RunnerRegistries,
): Promise<StudyPlan> {
  const { name = named ?? kind.defaultName, changes } = kind.chosen?.(values, named) ?? { changes: [] };
  const { study, definition, folder } = await kind.load(name);
  const { set = [] } = values;
  const chosen = changes.reduce((changed, [path, value]) => withValue(changed, path, value, 'the options'), definition);
  let changed = withAssignments(chosen, set);
  // a path in --set is the user's: it is not relative to the folder of the definition
  if (folder !== null) {
    const own = [...set.map(assignment => parseAssignment(assignment).path), ...changes.map(([path]) => path)];
    changed = withFilesBeside(changed, folder, fileKeysOf(registries.services), name, own);
  }
  const plan = await kind.makePlan(study, changed, registries, { changes: values.set, values });
  requireSound(await kind.gated(plan, registries));
  return plan;
}

async function resume(common: Omit<Session, 'plan'>, path: string, positionals: readonly string[]): Promise<number> {
  const { kind, values, registries } = common;
  const refused = [
    'set',
    'out',
    'watch',
    'seed',
    ...Object.keys(kind.options ?? {}).filter(name => kind.allows?.includes(name) !== true),
  ];
  if (positionals.length > 0 || refused.some(name => values[name] !== undefined)) {
    const words = refused.map(name => `--${name}`);
    throw new CoexistError(
      'usage',
      `--resume goes on with the plan in the folder; it takes no ${kind.noun}, ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
      { hint: againCommand(kind, path, values) },
    );
  }
  const watched = lastCycle(path);
  const { plan: kept, ...before } = RunFolder.open<StudyPlan>(watched ?? path, kind.format).planFile();
  const plan = await kind.planAgain(kept, registries, path, values);
  requireSound(await kind.gated(plan, registries));
  const session: Session = { ...common, plan };
  const software = await softwareOf(session);
  // compares hashes before the check opens files that a stranger's plan names. A watched study may start with other
  // versions; the versions of its unfinished run are checked when the run is opened
  const changes = requireSameSoftware(watched === undefined ? before : { files: before.files ?? {} }, software, {
    despiteChanges: values['despite-changes'] === true,
    again: againCommand(kind, path, values),
  });
  await check(session);
  if (changes.length > 0) print(`changed since the study began: ${changes.join('; ')}\n`, process.stderr);
  if (watched !== undefined) return watch(session, path);
  return execute(session, RunFolder.resume<StudyPlan>(path, kind.format), software);
}

/** Returns the time in UTC for file names, for example "2026-11-20T10-39-05Z". */
export function stamp(date: Date): string {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

export async function list({ names, load }: StudyKind): Promise<number> {
  const all = await names();
  const width = Math.max(...all.map(({ length }) => length));
  const lines = [];
  for (const name of all) {
    const { title } = (await load(name)).definition as { title: string };
    lines.push(`${name.padEnd(width)}  ${title}`);
  }
  return print(`${lines.join('\n')}\n`);
}
