/** Computes the summary of a pairwise study from the records in its folder. Runs no trial. */
import { median } from '../../../core/stats/quantile.ts';
import { type Estimate, leastConfidence } from '../../../core/vocabulary/estimate.ts';
import { judgeResults } from '../../analysis/gate/gate.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import { throughputBps, trafficOf } from '../../record/traffic.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import { maxMinFairBps, shareRatio } from './analysis/fair-share.ts';
import { contentiousness, residuals, type Share, sensitivity } from './analysis/ranking.ts';
import { twoModes } from './analysis/stability.ts';
import { StoppingRule } from './analysis/stopping-rule.ts';
import { nonMonotonic } from './analysis/sweep.ts';
import { fairnessOf, nonTransitiveTriples } from './analysis/triples.ts';
import { capOn, measuredCap, type Solo } from './caps.ts';
import { findingsOf } from './findings.ts';
import { type Cell, isSolo, linkOfCell, type PairsPlan } from './plan.ts';
import { pairsGated, pairsResults } from './results.ts';
import { Scheduler } from './scheduler.ts';
import { sideNames } from './sides.ts';
import { type CellSummary, cellQuantities, type LinkSummary, type PairsSummary, type SideSummary } from './summary.ts';

/** A trial in the run folder. `quality`: values of quality metrics for each side, by metric. */
export type TrialInFolder = { name: string; file: TrialFile; quality: Record<string, number | null>[] };

type SummariseOptions = {
  plan: PairsPlan;
  /** All trials, including void ones. */
  trials: readonly TrialInFolder[];
  /** Quantities that `quality` of a trial contains. */
  quantities: readonly Quantity[];
  /** Reason why each given-up cell cannot be measured, by id of the cell. */
  givenUp: ReadonlyMap<string, string>;
};

class Summariser {
  readonly #options: SummariseOptions;
  readonly #rule: StoppingRule;
  readonly #scheduler: Scheduler;
  readonly #quantities: readonly Quantity[];

  constructor(options: SummariseOptions) {
    const { plan, quantities } = options;
    this.#options = options;
    this.#quantities = [...cellQuantities, ...quantities];
    this.#rule = new StoppingRule(plan.run.stopping, plan.run.repeats);
    this.#scheduler = new Scheduler(plan);
  }

  summarise(): PairsSummary {
    const { plan, trials } = this.#options;
    const solos = new Map(plan.contestants.map(({ name }) => [name, this.#solos(name)]));
    const cells = plan.cells.map(cell => this.#cell(cell, solos));
    const links = plan.links.filter(({ id }) => plan.cells.some(cell => cell.link === id && !isSolo(cell)));
    const summary = {
      format: 1 as const,
      title: plan.title,
      quantities: [...this.#quantities],
      contestants: plan.contestants.map(({ warmUpMs: _, ...contestant }) => ({
        ...contestant,
        measuredCapBps: measuredCap(contestant, solos.get(contestant.name)!),
      })),
      links: links.map((link): LinkSummary => {
        const shares = sharesOn(cells, link.id);
        const losers = cells
          .filter(cell => cell.link === link.id && cell.sides.length === 2)
          .flatMap(({ sides }) => lowestShare(sides) ?? []);
        const share = (incumbent: string, contender: string) =>
          shares.find(own => own.incumbent === incumbent && own.contender === contender);
        return {
          id: link.id,
          title: link.title,
          rateBps: link.link.rateBps,
          halfWidthBps: link.halfWidthBps,
          capsBps: Object.fromEntries(
            plan.contestants.map(contestant => [contestant.name, capOn(link, contestant, solos.get(contestant.name)!)]),
          ),
          contentiousness: contentiousness(shares),
          sensitivity: sensitivity(shares),
          triples: nonTransitiveTriples(
            plan.contestants.map(({ name }) => name),
            (incumbent, contender) => fairnessOf(share(incumbent, contender)?.interval ?? null),
          ),
          odd: residuals(shares)
            .filter(({ incumbent, contender, factor }) => isOdd(share(incumbent, contender)!, factor))
            .sort((a, b) => Math.abs(Math.log(b.factor)) - Math.abs(Math.log(a.factor))),
          losers: {
            n: losers.length,
            median: median(losers) ?? null,
            belowNinety: losers.filter(value => value <= 0.9).length,
            belowFifty: losers.filter(value => value <= 0.5).length,
          },
        };
      }),
      cells,
      sweeps: this.#sweeps(cells),
      trials: trials.map(({ name, file }) => ({
        name,
        cell: file.trial.condition,
        verdict: file.verdict,
        attempt: file.attempt,
        machine: file.machine ?? null,
      })),
    };
    const judged = judgeResults(pairsGated(plan), pairsResults(plan, summary));
    return { ...summary, ...judged, findings: findingsOf(summary) };
  }

  #counted(cell: string): TrialInFolder[] {
    return this.#options.trials
      .filter(({ file }) => file.trial.condition === cell && file.verdict.status !== 'invalid' && file.phases !== null)
      .sort((a, b) => a.file.trial.repeat - b.file.trial.repeat);
  }

  #estimate(values: readonly (number | null)[]): Estimate {
    const given = values.filter(value => value !== null);
    const [interval] = this.#rule.decide([given], 0).intervals;
    const { low, high } = interval ?? { low: null, high: null };
    const confidence = interval == null ? null : leastConfidence;
    return { value: median(given) ?? null, low, high, n: given.length, confidence };
  }

  #solos(name: string): Solo[] {
    const { plan } = this.#options;
    return plan.cells
      .filter(cell => isSolo(cell) && cell.sides[0] === name)
      .map(cell => ({
        link: linkOfCell(plan, cell),
        throughput: this.#estimate(this.#counted(cell.id).map(({ file }) => throughputBps(file, sideNames[0]))),
      }));
  }

  #cell(cell: Cell, solos: ReadonlyMap<string, Solo[]>): CellSummary {
    const { plan, trials, givenUp } = this.#options;
    const link = linkOfCell(plan, cell);
    const counted = this.#counted(cell.id);
    const capsBps = cell.sides.map(name =>
      capOn(link, plan.contestants.find(contestant => contestant.name === name)!, solos.get(name)!),
    );
    const due = maxMinFairBps(link.link.rateBps, capsBps);
    const got = counted.map(({ file }) => file.applications.map(({ name }) => throughputBps(file, name)));
    const sides = cell.sides.map((contestant, side) =>
      this.#side(contestant, due[side]!, side, counted, link.halfWidthBps),
    );
    const results = got.map((throughput, k) => ({
      round: counted[k]!.file.trial.repeat,
      throughputBps: throughput.map(value => value ?? 0),
    }));
    const utilisations = got.map(values =>
      values.includes(null) ? null : values.reduce<number>((sum, value) => sum + value!, 0) / link.link.rateBps,
    );
    const reason = givenUp.get(cell.id) ?? null;
    return {
      id: cell.id,
      link: cell.link,
      state: reason !== null ? 'given-up' : this.#scheduler.decide(cell, results).state,
      reason,
      trials: counted.map(({ name }) => name),
      voided: trials.filter(({ file }) => file.trial.condition === cell.id).length - counted.length,
      utilisation: this.#estimate(utilisations),
      utilisations,
      sides,
    };
  }

  #side(
    contestant: string,
    dueBps: number,
    side: number,
    counted: readonly TrialInFolder[],
    halfWidthBps: number,
  ): SideSummary {
    const perTrial = counted.map(({ file, quality }) => ({ ...quality[side], ...measured(file, side, dueBps) }));
    const trials = Object.fromEntries(
      this.#quantities.map(({ id }) => [id, perTrial.map(values => values[id] ?? null)]),
    );
    const throughputs = trials['throughput']!.filter(value => value !== null);
    return {
      contestant,
      dueBps,
      trials,
      values: Object.fromEntries(Object.entries(trials).map(([id, values]) => [id, this.#estimate(values)])),
      modes: twoModes(throughputs, halfWidthBps) ?? null,
    };
  }

  /** Returns the pairs whose share is not monotonic over links that differ only in their rate. */
  #sweeps(cells: readonly CellSummary[]): PairsSummary['sweeps'] {
    const links = this.#options.plan.links.filter(({ id }) => /^[0-9.]+[kmg]?bit$/.test(id));
    const byLink = links.map(link => ({ link, shares: sharesOn(cells, link.id) }));
    // If a pair could not be measured on one link, its results on the other links are still used.
    const pairs = new Map(
      byLink.flatMap(({ shares }) =>
        shares.map(({ incumbent, contender }) => [`${incumbent} ${contender}`, { incumbent, contender }]),
      ),
    );
    return [...pairs.values()].flatMap(({ incumbent, contender }) => {
      const points = byLink.flatMap(({ link, shares }) =>
        shares
          .filter(share => share.incumbent === incumbent && share.contender === contender)
          .map(({ share, interval }) => ({ rateBps: link.link.rateBps, share, interval })),
      );
      const found = nonMonotonic(points);
      return found === undefined
        ? []
        : [
            {
              incumbent,
              contender,
              fall: [found.fall[0].rateBps, found.fall[1].rateBps],
              rise: [found.rise[0].rateBps, found.rise[1].rateBps],
            },
          ];
    });
  }
}

export function summarisePairs(options: SummariseOptions): PairsSummary {
  return new Summariser(options).summarise();
}

/** Returns the quantities of side `k` of a trial. `dueBps`: fair share of this side. */
function measured(file: TrialFile, k: number, dueBps: number): Record<string, number | null> {
  const name = sideNames[k]!;
  const traffic = trafficOf(file, name);
  const throughput = throughputBps(file, name);
  const arrived = traffic === null ? 0 : traffic.sentPackets + traffic.droppedPackets;
  return {
    throughput: throughput,
    share: throughput === null ? null : shareRatio(throughput, dueBps),
    loss: arrived === 0 ? null : traffic!.droppedPackets / arrived,
    'queue-delay': traffic?.delayMeanMs ?? null,
    late: traffic === null || traffic.udpPackets === 0 ? null : traffic.lateUdpPackets / traffic.udpPackets,
  };
}

function lowestShare(sides: readonly SideSummary[]): number | undefined {
  const shares = sides.map(side => side.values['share']!.value);
  return shares.some(share => share === null) ? undefined : Math.min(...shares.map(share => share!));
}

/**
 * Returns the share of each incumbent beside each contender on a link. If a service runs beside itself, the smaller of
 * its two shares is returned.
 */
export function sharesOn(cells: readonly CellSummary[], link: string): Share[] {
  return cells
    .filter(cell => cell.link === link && cell.sides.length === 2)
    .flatMap(({ sides }): Share[] => {
      const [first, second] = sides as [SideSummary, SideSummary];
      const shares = (
        [
          [first, second],
          [second, first],
        ] as const
      ).flatMap(([incumbent, contender]): Share[] => {
        const { value, low, high } = incumbent.values['share']!;
        return value === null
          ? []
          : [
              {
                incumbent: incumbent.contestant,
                contender: contender.contestant,
                share: value,
                interval: low === null || high === null ? null : { low, high },
              },
            ];
      });
      return first.contestant === second.contestant ? shares.sort((a, b) => a.share - b.share).slice(0, 1) : shares;
    });
}

/** True if the factor differs from 1 by more than 10 %, and the difference is larger than the interval of the share. */
function isOdd({ share, interval }: Share, factor: number): boolean {
  if (interval === null || Math.abs(Math.log(factor)) <= Math.log(1.1)) return false;
  return Math.abs(share - share / factor) > Math.max(interval.high - share, share - interval.low);
}
