/** The kind of study in pairs: every service runs beside every other service, and the share of each is measured. */

import { CoexistError } from '../../../core/errors.ts';
import { counted } from '../../../core/text/counted.ts';
import { siteUrl } from '../../../core/text/site-url.ts';
import { formatDuration } from '../../../core/text/units.ts';
import { wholeNumber } from '../../../core/text/whole-number.ts';
import { autoBackendWords, describeBackend } from '../../../core/vocabulary/backends.ts';
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import type { PairsReports } from '../../../reports/pairs/index.ts';
import { lastCycle } from '../../record/cycles.ts';
import { RunFolder } from '../../record/run-folder.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { formatEstimate } from '../estimate-words.ts';
import { loadReport } from '../load-report.ts';
import { recordsOf } from '../records.ts';
import type { Change, OptionValues, Running, StudyKind } from '../study.ts';
import { checkPairs, lanesOf } from './check.ts';
import { pairsCommand } from './command.ts';
import { finishCycle, summariseFolder } from './cycle.ts';
import { type PairsDefinition, pairsSchema } from './define.ts';
import { loadPairs, pairsNames } from './load.ts';
import { makePlan } from './make-plan.ts';
import { conditionOfCell, MatrixPlanner } from './matrix.ts';
import { estimate, type PairsPlan, pairsFormat } from './plan.ts';
import { pairsPlanAgain } from './plan-again.ts';
import { PairsPrinter } from './progress.ts';
import { finishPairsAgain, givenUpIn, openPairs } from './report.ts';
import { comparedPairs, pairsGated, requireIntervals } from './results.ts';
import { checkScripts } from './scripts.ts';
import { sitePages } from './site.ts';

export const plugin: StudyKind<PairsPlan, PairsDefinition> = {
  id: 'pairs',
  title: 'Every service beside every other',
  source: 'Philip et al. (Prudentia)',
  params: pairsSchema,
  noun: 'study',
  format: pairsFormat,
  defaultName: 'services',
  mostAhead: 64, // A small number, because a cell may be done before a queued trial of it is started.
  keep: 8, // enough for one of each service of a small matrix
  options: {
    services: { type: 'string' },
    'trust-scripts': { type: 'boolean' },
    link: { type: 'string' },
    quick: { type: 'boolean' },
    findings: { type: 'boolean' },
    repeats: { type: 'string' },
    'site-url': { type: 'string' },
    'private-networks': { type: 'boolean' },
  },
  usage:
    '[--services a,b,c [--trust-scripts] | --findings] [--link 8mbit,50mbit] [--quick] [--repeats N] ' +
    '[--site-url URL] [--private-networks]',
  allows: ['trust-scripts', 'private-networks', 'site-url'],
  chosen,
  names: pairsNames,
  load: loadPairs,
  makePlan(study, definition, registries, { values }) {
    const plan = makePlan(study, definition, registries, {
      trustScripts: values['trust-scripts'] === true,
      isOverMachines: values['hosts'] !== undefined,
    });
    requireIntervals(study, plan);
    return plan;
  },
  planAgain(kept, registries, path, values) {
    if (values['site-url'] !== undefined && lastCycle(path) === undefined)
      throw new CoexistError('usage', `--site-url needs a study with --watch; ${path} is not one`, {
        hint: 'leave it out',
      });
    return pairsPlanAgain(kept, registries, path, {
      trustScripts: values['trust-scripts'] === true,
      privateNetworks: values['private-networks'] === true,
    });
  },
  allowedBy: ({ contestants, run }) => ({
    'trust-scripts': contestants.some(({ scriptSha256 }) => scriptSha256 !== undefined),
    'private-networks': run.privateNetworks,
  }),
  async check(plan, registries, headed) {
    const crowds = await checkPairs(plan, registries, headed);
    return crowds.length === 0 ? [] : [describeCrowds(crowds)];
  },
  conditions: plan => plan.cells.map(cell => conditionOfCell(plan, cell)),
  checkFiles: checkScripts,
  describe: describePlan,
  // `cores` is 0, because pairs that need too many cores have a message of the study (describeCrowds).
  needs: ({ run: { priority } }) => ({ precedence: priority, cores: 0, mend: () => undefined }),
  lanes: lanesOf,
  begin,
  sitePages,
  records: path => recordsOf(path, pairsFormat),
  finishAgain: finishPairsAgain,
  async page(path, html, figures, addressOf) {
    const { plan } = RunFolder.open<PairsPlan>(path, pairsFormat).planFile();
    return (await loadReport<PairsReports>('pairs')).page(html, plan, pairsCommand(plan), figures, addressOf);
  },
  gated: async plan => pairsGated(plan),
  async compared(path) {
    const { folder, plan } = openPairs(path);
    return comparedPairs(plan, await summariseFolder(folder, plan, givenUpIn(folder)));
  },
};

/**
 * Returns the study and the changes that the options stand for. `--quick` and `--findings` select a shipped study;
 * `--services` and `--link` change the selected study.
 */
function chosen(values: OptionValues, named: string | undefined): { name?: string; changes: Change[] } {
  const { services, link, quick, findings, repeats, watch, 'site-url': url } = values;
  if (url !== undefined) siteUrl(String(url));
  if (url !== undefined && watch !== true)
    throw new CoexistError('usage', '--site-url needs a study with --watch', { hint: 'give --watch as well' });
  if (values['private-networks'] === true)
    throw new CoexistError('usage', '--private-networks needs --resume', {
      hint: 'for a new study, use --set run.privateNetworks=true',
    });
  if (findings === true && (quick === true || services !== undefined))
    throw new CoexistError('usage', '--findings has services of its own: it takes neither --services nor --quick', {
      hint: 'leave out one of them',
    });
  const shipped = findings === true ? 'findings' : quick === true ? 'quick' : undefined;
  if (shipped !== undefined && named !== undefined)
    throw new CoexistError('usage', `--${shipped} is a study of its own, and ${named} is another one`, {
      hint: 'leave out one of them',
    });
  const links = link === undefined ? undefined : words(String(link));
  if (links?.length === 0)
    throw new CoexistError('usage', '--link names no link', { hint: 'write --link 8mbit,50mbit' });
  return {
    ...(shipped === undefined ? {} : { name: shipped }),
    changes: [
      ...(services === undefined
        ? []
        : ([
            ['services', words(String(services))],
            ['title', undefined],
          ] as const)),
      ...(links === undefined ? [] : ([['links', links]] as const)),
      ...(repeats === undefined
        ? []
        : ([
            ['run.stopping', 'fixed'],
            ['run.repeats', wholeNumber(String(repeats), 'repeats', 1)],
          ] as const)),
    ],
  };
}

function words(text: string): string[] {
  return text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
}

/** Describes pairs that need more cores than this machine has. These pairs run, but their trials may be void. */
function describeCrowds([first, ...more]: readonly string[]): string {
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${first}${rest}: trials that this disturbs are void and are run again`;
}

async function begin(
  plan: PairsPlan,
  folder: RunFolder<PairsPlan>,
  _registries: RunnerRegistries,
  out: NodeJS.WriteStream,
): Promise<Running> {
  const progress = new PairsPrinter(plan, out);
  const done = folder.trialNames().map(name => folder.trialFile(name));
  const planner = new MatrixPlanner(plan, done, (cell, reason) => progress.onGivenUp(cell, reason));
  return {
    planner,
    progress,
    begins: `${plan.title}: ${lengthWords(plan)}; results go to ${folder.path}`,
    async finish() {
      const { givenUp } = planner;
      return {
        ...(await finishCycle(folder, plan, givenUp)),
        missing:
          givenUp.size === 0
            ? null
            : `${givenUp.size} of ${plan.cells.length} cells could not be measured: ${[...givenUp.keys()].join(', ')}`,
      };
    },
  };
}

/**
 * Returns the announcement of a study: "126 to 540 trials, about 3 h to 12 h; up to 182 further tries if trials are
 * void, at most about 16 h".
 */
function lengthWords(plan: PairsPlan): string {
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
    `links formed by ${backend === 'auto' ? autoBackendWords(links.map(({ link }) => link)) : describeBackend(backend)}`,
    '',
    `${pairs} pairs over all links, and ${cells.length - pairs} times a service alone; ` +
      `${counted(run.soloRepeats, 'trial')} alone, ${stopping}`,
    `each trial ${formatDuration(run.windowMs)} measured, after ${formatDuration(run.warmUpMs)} or the service's own ` +
      `warm-up, ${lanesOf(plan)} at once, order by seed ${run.seed}`,
    lengthWords(plan),
  ];
  return `${lines.join('\n')}\n`;
}
