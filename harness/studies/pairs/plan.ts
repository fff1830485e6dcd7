/**
 * Plan of a pairwise study: the cells on each link, and the estimated time. The order of the trials depends on results
 * (scheduler.ts). The same results always give the same order.
 */
import { checkLength } from '../../../core/vocabulary/trial-length.ts';
import { pairOverheadMs, preflightMs } from '../planner/durations.ts';
import { StoppingRule } from './analysis/stopping-rule.ts';
import type { Contestant } from './contestant.ts';
import type { PairsDefinition, PairsRun } from './define.ts';
import { openFactor, openLink, type PairLink } from './links.ts';

export const pairsFormat = 'pairs-4';

/** A service alone on a link, or two services beside each other. */
export type Cell = {
  id: string;
  /** Id of the PairLink. */
  link: string;
  /** Names of one or two contestants. Both names are equal if a service runs beside itself. */
  sides: string[];
};

export type PairsPlan = {
  format: typeof pairsFormat;
  title: string;
  contestants: Contestant[];
  links: PairLink[];
  run: PairsRun;
  /** Cells of the study. Cells with a single service come first. */
  cells: Cell[];
  /** Thresholds and claims as written. Missing if the definition has none. */
  judged?: Pick<PairsDefinition, 'require' | 'claims'>;
};

/** Milliseconds to prepare a service before its first trial. Used for estimates only. */
const preparationMs = 6000;

/**
 * Upper bound of the time until a service is ready, ms. Services have shorter deadlines for their start. A service that
 * is ready first waits for the other service.
 */
const readyWithinMs = 180_000;

export const isSolo = ({ sides }: Cell) => sides.length === 1;

/**
 * Makes the plan. `only`: true for the cells that the plan shall contain. If these do not include the cells that
 * measure the caps, the caps are those that the services state.
 */
export function makePairsPlan({
  title,
  contestants,
  links,
  run,
  only,
  judged,
}: Pick<PairsPlan, 'title' | 'contestants' | 'links' | 'run' | 'judged'> & {
  only?: (cell: Cell) => boolean;
}): PairsPlan {
  const besideMs =
    Math.max(run.warmUpMs, ...contestants.map(({ warmUpMs }) => warmUpMs)) + run.coolDownMs + readyWithinMs;
  for (const { title: name, longestMs = null } of contestants)
    checkLength(
      name,
      longestMs,
      { windowMs: run.windowMs, besideMs, besideSettings: 'run.warmUp and run.coolDown' },
      'leave it out',
    );
  const open = only === undefined ? openLinkFor(contestants, links, run) : undefined;
  const all = open === undefined ? links : [...links, open];
  const solo = (link: PairLink, { name }: Contestant): Cell => ({
    id: `${link.id}-${name}-alone`,
    link: link.id,
    sides: [name],
  });
  return {
    format: pairsFormat,
    title,
    contestants,
    links: all,
    run,
    cells: [
      ...links.flatMap(link => contestants.map(contestant => solo(link, contestant))),
      ...(open === undefined ? [] : capped(contestants).map(contestant => solo(open, contestant))),
      ...links.flatMap(link =>
        contestants.flatMap((first, k) =>
          contestants.slice(k).map(second => ({
            id: `${link.id}-${first.name}-and-${second.name}`,
            link: link.id,
            sides: [first.name, second.name],
          })),
        ),
      ),
    ].filter(only ?? (() => true)),
    ...(judged === undefined ? {} : { judged }),
  };
}

const capped = (contestants: readonly Contestant[]) =>
  contestants.filter(({ nominalCapBps }) => nominalCapBps !== null);

/**
 * Returns an extra link to measure the caps, if any cap is too close to the rate of the widest link. Otherwise
 * undefined. Also undefined for a study with one trial per pair, which uses the caps that the services state.
 */
function openLinkFor(
  contestants: readonly Contestant[],
  links: readonly PairLink[],
  run: PairsRun,
): PairLink | undefined {
  const caps = capped(contestants).map(({ nominalCapBps }) => nominalCapBps!);
  if (caps.length === 0 || run.repeats === 1) return undefined;
  const widest = Math.max(...links.map(({ link }) => link.rateBps));
  return Math.max(...caps) * openFactor <= widest ? undefined : openLink(caps, links[0]!.link.backend);
}

export function contestantOf(plan: Pick<PairsPlan, 'contestants'>, name: string): Contestant {
  return plan.contestants.find(contestant => contestant.name === name)!;
}

export function linkOfCell(plan: Pick<PairsPlan, 'links'>, { link }: Pick<Cell, 'link'>): PairLink {
  return plan.links.find(({ id }) => id === link)!;
}

/** Returns how long the services of a cell run before the window, ms. */
export function warmUpMsOf(plan: Pick<PairsPlan, 'contestants' | 'run'>, { sides }: Cell): number {
  return Math.max(plan.run.warmUpMs, ...sides.map(name => contestantOf(plan, name).warmUpMs));
}

/** Returns the length of a trial of a cell, ms. */
export function trialMs(plan: Pick<PairsPlan, 'contestants' | 'run'>, cell: Cell): number {
  return warmUpMsOf(plan, cell) + plan.run.windowMs + plan.run.coolDownMs + pairOverheadMs;
}

/** Returns the number of trials of all cells together. `ofPair`: number of trials of each pair. */
const trialsOf = ({ cells, run }: Pick<PairsPlan, 'cells' | 'run'>, ofPair: number) =>
  cells.reduce((sum, cell) => sum + (isSolo(cell) ? run.soloRepeats : ofPair), 0);

/** Returns the number of trials if no pair ends early. */
export const mostTrials = (plan: Pick<PairsPlan, 'cells' | 'run'>) => trialsOf(plan, plan.run.repeats);

type Estimate = { fewestTrials: number; mostTrials: number; leastMs: number; mostMs: number };

/**
 * Estimates the trials and the time of a study. Minimum: every pair ends as early as the rule allows, and no trial is
 * repeated. Maximum: no pair ends early.
 */
export function estimate(plan: PairsPlan, lanes: number): Estimate {
  const { run, cells, links, contestants } = plan;
  const fewest = Math.min(run.repeats, new StoppingRule(run.stopping, run.repeats).fewest);
  const total = (ofPair: number) =>
    cells.reduce((sum, cell) => sum + trialMs(plan, cell) * (isSolo(cell) ? run.soloRepeats : ofPair), 0);
  const before =
    (run.preflight ? links.reduce((sum, { link }) => sum + preflightMs(link), 0) : 0) +
    2 * contestants.length * preparationMs;
  return {
    fewestTrials: trialsOf(plan, fewest),
    mostTrials: mostTrials(plan),
    leastMs: before + total(fewest) / lanes,
    mostMs: before + total(run.repeats) / lanes,
  };
}

/** Part of the time of a quick study that is reserved for further tries. */
const reserveRatio = 0.15;
const quickWindowMs = { least: 8000, most: 40_000 } as const;

/**
 * Returns the longest window, ms in whole seconds, with which a plan with a fixed number of trials takes at most
 * `budgetMs`.
 */
export function windowWithinMs(plan: PairsPlan, lanes: number, budgetMs: number): number {
  const { mostMs, mostTrials } = estimate({ ...plan, run: { ...plan.run, windowMs: 0 } }, lanes);
  const windowMs = Math.floor(((budgetMs * (1 - reserveRatio) - mostMs) * lanes) / mostTrials / 1000) * 1000;
  return Math.min(quickWindowMs.most, Math.max(quickWindowMs.least, windowMs));
}
