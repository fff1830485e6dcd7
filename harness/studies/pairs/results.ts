/** Results of a pairwise study as thresholds, claims and comparisons of runs name them: cells, and services in them. */
import { utilisation } from '../../../core/vocabulary/pair-names.ts';
import type { Compared } from '../../analysis/compare/compare-runs.ts';
import type { Gated } from '../../analysis/gate/gated.ts';
import { requireTrialsToJudge, resolveThresholds } from '../../analysis/gate/threshold.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Results } from '../../analysis/summary/results.ts';
import { conditionOfCell } from './matrix.ts';
import { type Cell, contestantOf, isSolo, type PairsPlan } from './plan.ts';
import { qualityQuantities } from './quality.ts';
import { cellQuantities, type PairsSummary } from './summary.ts';

const quantities: readonly Quantity[] = [...cellQuantities, ...qualityQuantities, { ...utilisation, of: 'link' }];

/** Returns the names of the services of a cell. A service beside itself has the name with "-2" the second time. */
const namesIn = ({ sides: [first, second] }: Pick<Cell, 'sides'>): string[] =>
  second === undefined ? [first!] : [first!, first === second ? `${second}-2` : second];

/** Returns the title of a cell: "iPerf CUBIC beside iPerf BBRv1, 8mbit". */
function titleOf(plan: PairsPlan, { sides, link }: Cell): string {
  const titles = sides.map(name => contestantOf(plan, name).title);
  return `${titles.length === 1 ? `${titles[0]!} alone` : titles.join(' beside ')}, ${link}`;
}

/** Returns what thresholds and claims can name. The name of a link stands for all of its cells. */
export const pairsGated = ({ title, cells, judged = {} }: PairsPlan): Gated => ({
  study: title,
  source: 'own',
  definition: judged,
  quantities,
  conditions: cells.map(cell => ({
    id: cell.id,
    name: cell.link,
    applications: namesIn(cell).map(name => ({ name })),
    subject: null,
  })),
});

/** Throws `bad-definition` if a threshold judges an interval that the planned trials cannot give. */
export function requireIntervals(study: string, plan: PairsPlan): void {
  const gated = pairsGated(plan);
  const { repeats, soloRepeats } = plan.run;
  requireTrialsToJudge({ study, run: plan.run }, resolveThresholds(gated, gated.quantities), id =>
    isSolo(plan.cells.find(cell => cell.id === id)!) ? soloRepeats : repeats,
  );
}

export function pairsResults(plan: PairsPlan, { cells, trials }: Pick<PairsSummary, 'cells' | 'trials'>): Results {
  const cellOf = (id: string) => plan.cells.find(cell => cell.id === id)!;
  const bySide = <T>(
    id: string,
    values: (side: (typeof cells)[number]['sides'][number]) => T,
    sides: (typeof cells)[number]['sides'],
  ) => Object.fromEntries(namesIn(cellOf(id)).map((name, k) => [name, values(sides[k]!)]));
  return {
    quantities,
    conditions: cells.map(cell => ({
      id: cell.id,
      title: titleOf(plan, cellOf(cell.id)),
      trials: cell.trials.length,
      subject: null,
      metrics: { [utilisation.id]: cell.utilisation },
      others: bySide(cell.id, ({ values }) => values, cell.sides),
      together: {},
    })),
    trials: cells.flatMap(cell =>
      cell.trials.map((name, k) => ({
        name,
        condition: cell.id,
        machine: trials.find(trial => trial.name === name)?.machine ?? null,
        metrics: { [utilisation.id]: cell.utilisations[k] ?? null },
        others: bySide(
          cell.id,
          side => Object.fromEntries(Object.entries(side.trials).map(([id, values]) => [id, values[k] ?? null])),
          cell.sides,
        ),
        together: {},
      })),
    ),
  };
}

/** Returns the description of a run for the comparison with another. */
export const comparedPairs = (plan: PairsPlan, summary: PairsSummary): Compared => ({
  study: plan.title,
  title: plan.title,
  question: 'How do the services share a link, pair by pair?',
  run: plan.run,
  settings: {},
  conditions: plan.cells.map(cell => {
    const { id, link, applications } = conditionOfCell(plan, cell);
    return { id, title: titleOf(plan, cell), spec: { link, services: applications.map(({ service }) => service) } };
  }),
  results: pairsResults(plan, summary),
  headline: ['share', utilisation.id],
  drawn: ['share', utilisation.id],
});
