/** `npm run pairs`: every service beside every other, and a report of who gets what; with `--watch` for ever. */
import { join } from 'node:path';
import { autoBackendWords, describeBackend } from '../../core/backends.ts';
import { counted } from '../../core/counted.ts';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { giveBack } from '../../core/ownership.ts';
import { runsFolder } from '../../core/paths.ts';
import { furtherTries } from '../../core/retries.ts';
import { check } from '../../core/schema.ts';
import { formatDuration } from '../../core/units.ts';
import { withAssignments } from '../experiment/set.ts';
import { defaultLinks, defaultServices, quickLinks, quickServices } from '../pairs/contestants.ts';
import { resolveContestants, runSchema } from '../pairs/define.ts';
import { contestantsOf, findingsPlan, isInFindings, linksOf } from '../pairs/findings.ts';
import { pairLink } from '../pairs/links.ts';
import { checkPairs, lanesOf } from '../pairs/machine/check.ts';
import { backendFor } from '../pairs/machine/outside.ts';
import { estimate, makePairsPlan, type PairsPlan, pairsFormat, windowWithinMs } from '../pairs/plan.ts';
import { RunFolder } from '../record/run-folder.ts';
import { requireSameSoftware, type Software } from '../record/software.ts';
import { describeCleaned, removeLeftovers } from '../runner/leftovers.ts';
import { loadRegistries, type RunnerRegistries } from '../runner/registries.ts';
import { againCommand } from './again.ts';
import { parseOptions, wholeNumber } from './arguments.ts';
import { fileLines } from './file-lines.ts';
import { onStudyInterruption } from './interruption.ts';
import { kernelNotes } from './kernel-notes.ts';
import { loadOfPrograms, machineWords } from './machine-line.ts';
import { checkQueueOption, isHere } from './over-queue.ts';
import { runCycle } from './pairs-cycle.ts';
import { lastCycle } from './pairs-cycles.ts';
import { pairsPlanAgain } from './pairs-plan-again.ts';
import { PairsPrinter } from './pairs-progress.ts';
import { siteUrl } from './pairs-site.ts';
import { softwareOf } from './pairs-software.ts';
import { watchPairs } from './pairs-watch.ts';
import { print } from './print.ts';
import { formatEstimate } from './progress.ts';
import { stamp } from './study-command.ts';
import { checkTurnOptions, type TurnValues, takeTurn, turnOptions, turnUsage } from './take-turn.ts';

const usage =
  'npm run pairs -- [--services a,b,c [--trust-scripts] | --findings] [--link 8mbit,50mbit] [--quick] [--repeats N] ' +
  '[--set run.window=60s ...] [--watch [--site-url URL]] [--out DIR] ' +
  '[--resume DIR [--despite-changes] [--private-networks]] [--headed] [--queue local|postgres://...] ' +
  `${turnUsage} [--dry-run]`;

const options = {
  services: { type: 'string' },
  'trust-scripts': { type: 'boolean' },
  link: { type: 'string' },
  quick: { type: 'boolean' },
  findings: { type: 'boolean' },
  repeats: { type: 'string' },
  set: { type: 'string', multiple: true },
  watch: { type: 'boolean' },
  'site-url': { type: 'string' },
  out: { type: 'string' },
  resume: { type: 'string' },
  'despite-changes': { type: 'boolean' },
  'private-networks': { type: 'boolean' },
  headed: { type: 'boolean' },
  queue: { type: 'string' },
  ...turnOptions,
  'dry-run': { type: 'boolean' },
} as const;

type Values = TurnValues & {
  services?: string;
  'trust-scripts'?: boolean;
  link?: string;
  quick?: boolean;
  findings?: boolean;
  repeats?: string;
  set?: string[];
  watch?: boolean;
  'site-url'?: string;
  out?: string;
  resume?: string;
  'despite-changes'?: boolean;
  'private-networks'?: boolean;
  headed?: boolean;
  queue?: string;
};

/** A quick matrix takes less than this. */
const quickBudgetMs = 24 * 60e3;
const quickRun = { warmUp: '10s', coolDown: '0s', stopping: 'fixed', repeats: 1, soloRepeats: 1, retries: 1 } as const;

export async function command(argv: string[]): Promise<number> {
  const values = parseOptions(argv, options, usage, 'pairs');
  checkQueueOption(values);
  checkTurnOptions(values);
  const url = values['site-url'] === undefined ? undefined : siteUrl(values['site-url']);
  if (url !== undefined && values.watch !== true && values.resume === undefined)
    throw new CoexistError('usage', '--site-url needs a study with --watch', {
      hint: 'give --watch as well',
    });
  if (values['private-networks'] === true && values.resume === undefined)
    throw new CoexistError('usage', '--private-networks needs --resume', {
      hint: 'for a new study, use --set run.privateNetworks=true',
    });
  const registries = await loadRegistries();
  if (values.resume !== undefined) return resume(values.resume, values, registries);
  const plan = planOf(values, registries);
  if (values['dry-run'] === true) {
    const chosen = plan.contestants.map(({ service }) => service);
    const machine = isHere(values.queue) ? `${await aboutMachine(plan)}\n` : '';
    const files = await fileLines(chosen, registries);
    return print(`${describePlan(plan)}${files}${await kernelNotes(chosen, registries)}${machine}`);
  }
  if (isHere(values.queue)) {
    const crowds = await checkPairs(plan, registries, values.headed === true);
    if (crowds.length > 0) print(`${describeCrowds(crowds)}\n`, process.stderr);
  }
  const path = values.out ?? join(runsFolder, `pairs-${stamp(new Date())}`);
  return execute(plan, path, values, registries, null);
}

/** Pairs that need more cores than there are have a message of their own (`describeCrowds`). */
const aboutMachine = async ({ run: { priority } }: PairsPlan, signal?: AbortSignal) =>
  machineWords(await loadOfPrograms(signal), { precedence: priority, cores: 0, mend: () => undefined });

/** Of pairs that keep more cores busy than there are: they run, and may count for nothing. */
function describeCrowds([first, ...more]: readonly string[]): string {
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${first}${rest}: trials that this disturbs are void and are run again`;
}

function words(text: string): string[] {
  return text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
}

/** Throws an error that names the first thing wrong. */
export function planOf(values: Values, { services }: Pick<RunnerRegistries, 'services'>): PairsPlan {
  const quick = values.quick === true;
  const chosen = values.link === undefined ? undefined : words(values.link);
  const findings = values.findings === true ? findingsPlan(chosen) : undefined;
  if (findings !== undefined && (quick || values.services !== undefined))
    throw new CoexistError('usage', '--findings has services of its own: it takes neither --services nor --quick', {
      hint: usage,
    });
  const named = values.services === undefined ? undefined : words(values.services);
  const contestants = resolveContestants(
    named ??
      (findings !== undefined
        ? contestantsOf(findings.flatMap(({ claims }) => claims))
        : quick
          ? quickServices
          : defaultServices),
    services,
    { trustScripts: values['trust-scripts'] === true },
  );
  let definition: { run: object } = { run: quick ? quickRun : {} };
  if (values.repeats !== undefined)
    definition = { run: { ...definition.run, stopping: 'fixed', repeats: wholeNumber(values.repeats, 'repeats', 1) } };
  definition = withAssignments(definition, values.set ?? []);
  const run = check(runSchema, definition.run, 'run');
  const backend = backendFor(contestants, { services }, run);
  const links = [
    ...new Set(findings !== undefined ? linksOf(findings) : (chosen ?? (quick ? quickLinks : defaultLinks))),
  ].map(name => pairLink(name, backend));
  if (links.length === 0) throw new CoexistError('usage', '--link names no link', { hint: usage });
  const title =
    findings !== undefined ? "The paper's findings, pair by pair" : `${contestants.length} services, pair by pair`;
  const plan = makePairsPlan({
    title,
    contestants,
    links,
    run,
    ...(findings !== undefined ? { only: cell => isInFindings(findings, cell) } : {}),
  });
  if (!quick || 'window' in definition.run) return plan;
  return { ...plan, run: { ...plan.run, windowMs: windowWithinMs(plan, lanesOf(plan), quickBudgetMs) } };
}

async function resume(path: string, values: Values, registries: RunnerRegistries): Promise<number> {
  const again = againCommand('pairs', path, values);
  if (
    [
      values.services,
      values.link,
      values.quick,
      values.findings,
      values.repeats,
      values.set,
      values.out,
      values.watch,
    ].some(value => value !== undefined)
  ) {
    throw new CoexistError(
      'usage',
      '--resume goes on with the plan in the folder; it takes no other options than --headed, --queue, --wait, ' +
        '--beside, --site-url, --trust-scripts, --private-networks and --despite-changes',
      { hint: again },
    );
  }
  const { plan: kept, isWatch, before } = planIn(path);
  if (values['site-url'] !== undefined && !isWatch)
    throw new CoexistError('usage', `--site-url needs a study with --watch; ${path} is not one`, {
      hint: again,
    });
  const plan = pairsPlanAgain(kept, registries, path, {
    trustScripts: values['trust-scripts'] === true,
    privateNetworks: values['private-networks'] === true,
  });
  // before a check opens what a stranger's plan names. In a study that goes on for ever a cycle that is complete may be
  // followed by one with other versions: whether one is open is seen when it is opened
  const changes = requireSameSoftware(
    isWatch ? { files: before.files ?? {} } : before,
    await softwareOf(plan, registries),
    { despiteChanges: values['despite-changes'] === true, again },
  );
  if (isHere(values.queue)) await checkPairs(plan, registries, values.headed === true);
  if (changes.length > 0) print(`changed since the study began: ${changes.join('; ')}\n`, process.stderr);
  return execute(plan, path, { ...values, watch: isWatch }, registries, path);
}

/** The plan of a folder, and whether it is that of a study that goes on for ever. */
function planIn(path: string): { plan: unknown; isWatch: boolean; before: Partial<Software> } {
  const last = lastCycle(path);
  const { plan, ...before } = RunFolder.open<PairsPlan>(last ?? path, pairsFormat).planFile();
  return { plan, before, isWatch: last !== undefined };
}

/** What whoever goes on with it has to allow again (pairs-plan-again.ts). */
const allowedBy = ({ contestants, run }: PairsPlan) => ({
  'trust-scripts': contestants.some(({ scriptSha256 }) => scriptSha256 !== undefined),
  'private-networks': run.privateNetworks,
});

/** `resumed`: the folder that holds what there is already. */
async function execute(
  plan: PairsPlan,
  path: string,
  values: Values,
  registries: RunnerRegistries,
  resumed: string | null,
): Promise<number> {
  const printer = new PairsPrinter(plan, process.stdout);
  const again = againCommand('pairs', path, { ...values, ...allowedBy(plan) });
  const signal = onStudyInterruption(text => printer.say(text), again);
  const what = `pairs, results in ${path}`;
  const turn = isHere(values.queue)
    ? await takeTurn({ ...values, what, say: text => printer.say(text), signal })
    : undefined;
  try {
    return await executeInTurn(plan, path, values, registries, { resumed, printer, again, signal });
  } finally {
    turn?.release();
  }
}

async function executeInTurn(
  plan: PairsPlan,
  path: string,
  values: Values,
  registries: RunnerRegistries,
  {
    resumed,
    printer,
    again,
    signal,
  }: { resumed: string | null; printer: PairsPrinter; again: string; signal: AbortSignal },
): Promise<number> {
  const cleaned = isHere(values.queue) ? describeCleaned(await removeLeftovers()) : undefined;
  if (cleaned !== undefined) printer.say(cleaned);
  const software = () => softwareOf(plan, registries);
  const common = {
    plan,
    software,
    registries,
    headed: values.headed === true,
    ...(values.queue === undefined ? {} : { queue: values.queue }),
    signal,
    printer,
  };
  printer.say(`${plan.title}: ${timeSaid(plan)}; results go to ${path}`);
  if (isHere(values.queue)) printer.say(await aboutMachine(plan, signal));
  if (values.watch === true)
    return watchPairs(path, {
      ...common,
      again,
      despiteChanges: values['despite-changes'] === true,
      ...(values['site-url'] === undefined ? {} : { url: siteUrl(values['site-url']) }),
    });
  // a folder that is refused is not the study's, and its owner stays
  const folder =
    resumed === null
      ? RunFolder.create<PairsPlan>(path, { plan, ...(await software()), createdMs: Date.now() })
      : RunFolder.resume<PairsPlan>(path, pairsFormat);
  try {
    const { reportPath, summaryPath, givenUp } = await runCycle({ ...common, folder, changes: null });
    printer.say(`summary: ${summaryPath}\nreport:  ${reportPath}`);
    if (givenUp.size === 0) return exitStatus.done;
    throw new CoexistError(
      'trials-failed',
      `${givenUp.size} of ${plan.cells.length} cells could not be measured: ${[...givenUp.keys()].join(', ')}`,
      {
        hint: `the report says why (${reportPath}); try them again with: ${again}`,
      },
    );
  } finally {
    folder.release();
    giveBack(path);
  }
}

/** "126 to 540 trials, about 3 h to 12 h; up to 182 further tries if trials are void, at most about 16 h". */
function timeSaid(plan: PairsPlan): string {
  const { fewestTrials, mostTrials, leastMs, mostMs } = estimate(plan, lanesOf(plan));
  const further = furtherTries(plan.run.retries, mostTrials);
  const about =
    fewestTrials === mostTrials
      ? `${mostTrials} trials, about ${formatEstimate(mostMs)}`
      : `${fewestTrials} to ${mostTrials} trials, about ${formatEstimate(leastMs)} to ${formatEstimate(mostMs)}`;
  if (further === 0) return about;
  const longest = formatEstimate(mostMs * (1 + further / mostTrials));
  return `${about}; up to ${further} further tries if trials are void, at most about ${longest}`;
}

function describePlan(plan: PairsPlan): string {
  const { run, contestants, links, cells } = plan;
  const pairs = cells.filter(({ sides }) => sides.length === 2).length;
  const { backend } = links[0]!.link;
  const stopping = {
    sequential: `until every interval is narrow enough, at most ${run.repeats} trials of a pair`,
    prudentia: `as in the paper, 10 to ${run.repeats} trials of a pair`,
    fixed: `${run.repeats} of each pair`,
  }[run.stopping];
  const lines = [
    plan.title,
    '',
    ...contestants.map(
      ({ name, title, models }) => `${name.padEnd(20)} ${title}${models === null ? '' : `; models ${models}`}`,
    ),
    '',
    ...links.map(({ id, title }) => `${id.padEnd(20)} ${title}`),
    `links formed by ${backend === 'auto' ? autoBackendWords : describeBackend(backend)}`,
    '',
    `${pairs} pairs over all links, and ${cells.length - pairs} times a service alone; ` +
      `${counted(run.soloRepeats, 'trial')} alone, ${stopping}`,
    `each trial ${formatDuration(run.windowMs)} measured, after ${formatDuration(run.warmUpMs)} or the service's own ` +
      `warm-up, ${lanesOf(plan)} at once, order by seed ${run.seed}`,
    timeSaid(plan),
  ];
  return `${lines.join('\n')}\n`;
}
