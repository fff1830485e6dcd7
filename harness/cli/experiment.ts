/** `npm run experiment`: runs a study and ends with the path of its report. */
import { join } from 'node:path';
import { autoBackendWords } from '../../core/backends.ts';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { fileKeysOf, withFilesBeside } from '../../core/files-beside.ts';
import { pick } from '../../core/plugins.ts';
import { runsDirectory } from '../../core/paths.ts';
import { formatDuration } from '../../core/units.ts';
import { findBrowser } from '../browser/find.ts';
import { describeLink, describeWay } from '../../core/link.ts';
import { GridPlanner } from '../planner/grid.ts';
import { loadStudy, studyNames } from '../experiment/load.ts';
import { makePlan } from '../experiment/plan.ts';
import type { Plan } from '../experiment/plan.ts';
import { isTree, withAssignments, withValue } from '../experiment/set.ts';
import { resolveClaims } from '../gate/claims.ts';
import { resolveThresholds } from '../gate/threshold.ts';
import { describeUrl } from '../queue/store.ts';
import { assessPictures } from '../quality/assess.ts';
import type { Quantity } from '../metrics/metric.ts';
import { requireSame } from '../record/kept-plan.ts';
import { RunFolder } from '../record/run-folder.ts';
import { hashesOf, requireSameSoftware } from '../record/software.ts';
import type { Software } from '../record/software.ts';
import { readVersions } from '../record/versions.ts';
import { describeCleaned, removeLeftovers } from '../runner/leftovers.ts';
import { namedFiles } from '../runner/named-files.ts';
import { loadRegistries } from '../runner/registries.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { checkStudy, missingTrials } from '../runner/check.ts';
import { runStudy } from '../runner/study.ts';
import { parseArguments, wholeNumber } from './arguments.ts';
import { ProgressPrinter, estimateMs, formatEstimate } from './progress.ts';
import { finishRun } from './finish.ts';
import { missedLines, refuseMissed } from './gate.ts';
import { loadQuantities } from './metrics.ts';
import { onStudyInterruption } from './interruption.ts';
import { checkQueueOption, isHere, overQueue } from './over-queue.ts';
import { giveBack } from './ownership.ts';

const defaultStudy = 'bbr-flood';

/** Trials in the queue at once, of a study whose next trial does not depend on results. */
const mostAhead = 500;

const usage =
  'npm run experiment -- [NAME|FILE] [--repeats N] [--set path=value ...] [--out DIR] [--resume DIR [--despite-changes]] [--headed] [--queue local|postgres://...] [--json] [--list] [--dry-run]';

const options = {
  repeats: { type: 'string' },
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'string' },
  'despite-changes': { type: 'boolean' },
  headed: { type: 'boolean' },
  queue: { type: 'string' },
  json: { type: 'boolean' },
  list: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = {
  repeats?: string;
  set?: string[];
  out?: string;
  resume?: string;
  'despite-changes'?: boolean;
  headed?: boolean;
  queue?: string;
  json?: boolean;
};

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  if (values.help === true) return print(`${usage}\n`);
  if (values.list === true) return listStudies();
  checkQueueOption(values);
  if (positionals.length > 1)
    throw new CoexistError('usage', `one study at a time: ${positionals.join(', ')}`, { hint: usage });
  const registries = await loadRegistries();
  if (values.resume !== undefined) return resume(values.resume, positionals, values, registries);
  const plan = await planOf(positionals[0] ?? defaultStudy, values, registries);
  if (values['dry-run'] === true)
    return print(values.json === true ? `${JSON.stringify(plan, null, 1)}\n` : describePlan(plan, registries));
  if (isHere(values.queue)) await checkStudy(plan, registries, values.headed === true);
  const path = values.out ?? join(runsDirectory, `${plan.study}-${stamp(new Date())}`);
  const software = await softwareOf(plan, registries);
  const folder = RunFolder.create(path, { plan, ...software, createdMs: Date.now() });
  return execute(plan, folder, software, registries, values);
}

async function planOf(nameOrFile: string, values: Values, registries: RunnerRegistries): Promise<Plan> {
  const loaded = await loadStudy(nameOrFile);
  const written =
    loaded.folder === null
      ? loaded.definition
      : withFilesBeside(loaded.definition, loaded.folder, fileKeysOf(registries.services), nameOrFile);
  let definition = withAssignments(written, values.set ?? []);
  if (values.repeats !== undefined)
    definition = withValue(definition, 'run.repeats', wholeNumber(values.repeats, 'repeats', 1));
  const plan = makePlan(loaded.study, definition, registries, values.set);
  refuseWrong(plan, await loadQuantities()); // what is wrong with it is said before anything runs
  return plan;
}

async function resume(
  path: string,
  positionals: string[],
  values: Values,
  registries: RunnerRegistries,
): Promise<number> {
  if (positionals.length > 0 || values.set !== undefined || values.out !== undefined || values.repeats !== undefined) {
    throw new CoexistError(
      'usage',
      '--resume goes on with the plan in the folder; it takes no study, --set, --repeats or --out',
      { hint: `npm run experiment -- --resume ${path}` },
    );
  }
  const { plan: kept, ...before } = RunFolder.open(path).planFile();
  const plan = planAgain(kept, registries, path);
  refuseWrong(plan, await loadQuantities());
  if (isHere(values.queue)) await checkStudy(plan, registries, values.headed === true);
  const software = await softwareOf(plan, registries);
  const changes = requireSameSoftware(before, software, {
    despiteChanges: values['despite-changes'] === true,
    again: `npm run experiment -- --resume ${path}`,
  });
  if (changes.length > 0) process.stderr.write(`changed since the study began: ${changes.join('; ')}\n`);
  return execute(plan, RunFolder.resume(path), software, registries, values);
}

/** What is wrong with thresholds and claims is said before anything runs. */
function refuseWrong(plan: Plan, quantities: readonly Quantity[]): void {
  resolveThresholds(plan, quantities);
  resolveClaims(plan, quantities);
}

async function softwareOf({ conditions }: Plan, { services }: RunnerRegistries): Promise<Software> {
  const chosen = conditions.flatMap(({ applications }) => applications.map(({ service }) => service));
  return {
    versions: await readVersions(findBrowser()),
    files: hashesOf(
      namedFiles(
        conditions.map(({ link }) => link),
        chosen,
        services,
      ),
    ),
  };
}

/** The plan of a folder, made anew from its definition. */
export function planAgain(kept: Plan, registries: RunnerRegistries, path: string): Plan {
  const { study, definition, changes = [] } = kept;
  if (typeof study !== 'string' || !isTree(definition))
    throw new CoexistError('bad-run-folder', `the plan in ${path} has no definition`, { hint: 'run the study anew' });
  if (!Array.isArray(changes) || changes.some(change => typeof change !== 'string'))
    throw new CoexistError('bad-run-folder', `the changes in the plan of ${path} are no list of texts`, {
      hint: 'run the study anew',
    });
  return requireSame(makePlan(study, definition, registries, changes), kept, path);
}

async function execute(
  plan: Plan,
  folder: RunFolder,
  software: Software,
  registries: RunnerRegistries,
  values: Values,
): Promise<number> {
  const printer = new ProgressPrinter(plan, values.json === true ? process.stderr : process.stdout);
  const cleaned = isHere(values.queue) ? describeCleaned(await removeLeftovers()) : undefined;
  if (cleaned !== undefined) printer.say(cleaned);
  const planner = new GridPlanner(plan, missingTrials(plan, folder));
  const missing = planner.left;
  printer.say(
    `${plan.title}: ${missing} of ${plan.trials.length} trials to run, about ${formatEstimate(estimateMs(plan, missing, { atStart: true }))}; results go to ${folder.path}`,
  );
  const signal = onStudyInterruption(
    text => printer.say(text),
    `npm run experiment -- --resume ${folder.path}${values.queue === undefined ? '' : ` --queue ${describeUrl(values.queue)}`}`,
  );
  try {
    const { parallel: lanes, preflight } = plan.run;
    const study = {
      planner,
      folder,
      software,
      registries,
      preflight,
      headed: values.headed === true,
      progress: printer,
    };
    if (values.queue === undefined) await runStudy({ ...study, lanes, signal });
    else {
      const lane = { study: plan.study, places: planner.places, preflight, keep: 1, privateNetworks: false };
      await overQueue(
        {
          queue: values.queue,
          kind: 'experiment',
          plan,
          files: software.files,
          folder,
          lane,
          say: text => printer.say(text),
          signal,
        },
        way => runStudy({ ...study, ...way, lanes: mostAhead }),
      );
    }
    const { failed } = planner;
    await assessPictures(folder, text => printer.say(text), signal);
    const { summary, reportPath, summaryPath } = await finishRun(folder);
    if (values.json === true) process.stdout.write(`${JSON.stringify(summary)}\n`);
    for (const line of missedLines(summary)) printer.say(line);
    if (failed.length > 0) {
      throw new CoexistError(
        'trials-failed',
        `${failed.length} of ${plan.trials.length} trials have no valid result: ${failed.map(trial => trial.id).join(', ')}`,
        {
          hint: `the report says why (${reportPath}); run them again with: npm run experiment -- --resume ${folder.path}`,
        },
      );
    }
    refuseMissed(summary, reportPath);
    if (values.json !== true) process.stdout.write(`summary: ${summaryPath}\nreport:  ${reportPath}\n`);
    return exitStatus.done;
  } finally {
    folder.release();
    giveBack(folder.path);
  }
}

/** "2026-11-20T10-39-05Z": the time in UTC, fit for a file name. */
export function stamp(date: Date): string {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

function print(text: string): number {
  process.stdout.write(text);
  return exitStatus.done;
}

async function listStudies(): Promise<number> {
  const lines = [];
  for (const name of await studyNames()) lines.push(`${name.padEnd(16)} ${(await loadStudy(name)).definition.title}`);
  return print(`${lines.join('\n')}\n`);
}

function describePlan(plan: Plan, registries: RunnerRegistries): string {
  const { windowMs, startUpMs, repeats, seed } = plan.run;
  const lines = [
    plan.title,
    `  ${plan.question}`,
    `  after ${plan.source}`,
    ...(plan.changes === undefined ? [] : [`  changed: ${plan.changes.join(', ')}`]),
    '',
    ...plan.conditions.map(condition => `${condition.title.padEnd(24)} ${describeLink(condition.link)}`),
    '',
    ...applicationLines(plan, registries),
    '',
    ...(plan.conditions.some(({ link }) => link.backend === 'auto') ? [`links: formed by ${autoBackendWords}`] : []),
    `${plan.trials.length} ${plan.trials.length === 1 ? 'trial' : 'trials'} (${repeats} of each condition, round robin, seed ${seed}), each ${formatDuration(windowMs)} measured after ${formatDuration(startUpMs)} of start-up`,
    `about ${formatEstimate(estimateMs(plan, plan.trials.length, { atStart: true }))}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A table: who, from where to where, when, over which path, in which conditions. */
function applicationLines({ conditions }: Plan, { tunnels }: RunnerRegistries): string[] {
  const rows = new Map<string, { cells: string[]; of: string[] }>();
  for (const {
    title,
    applications,
    link: { ways },
  } of conditions) {
    for (const { name, service, direction, startMs, stopMs, headStartMs, tunnel } of applications) {
      const from =
        startMs === null
          ? headStartMs === null
            ? 'start-up'
            : headStartMs === 0
              ? 'before the others'
              : `${formatDuration(headStartMs)} before the others`
          : at(startMs);
      const cells = [
        name,
        service.title,
        direction === 'down' ? 'left to right' : 'right to left',
        `${from} to ${stopMs === null ? 'end' : at(stopMs)}`,
        [
          describeWay(ways[name]!).join(', ') || 'no delay',
          ...(tunnel === undefined ? [] : [pick(tunnels, tunnel.id, 'tunnel').describe(tunnel.params as never)]),
        ].join(', in '),
        describeParams(service.params),
      ];
      const key = JSON.stringify(cells);
      const row = rows.get(key) ?? { cells, of: [] };
      row.of.push(title);
      rows.set(key, row);
    }
  }
  const heads = ['application', 'service', 'direction', 'time', 'path', 'parameters'];
  const all = [...rows.values()];
  const widths = heads.map((head, k) => Math.max(head.length, ...all.map(({ cells }) => cells[k]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, k) => (k === cells.length - 1 ? cell : cell.padEnd(widths[k]!))).join('  ');
  return [
    line(heads),
    ...all.flatMap(({ cells, of }) => [
      line(cells),
      ...(of.length === conditions.length
        ? []
        : [`    in ${of.length <= 4 ? of.join(', ') : `${of.length} of ${conditions.length} conditions`}`]),
    ]),
  ];
}

/** "window +5 s". */
const at = (ms: number) => `window ${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`;

function describeParams(params: unknown): string {
  return Object.entries(params as Record<string, unknown>)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ');
}
