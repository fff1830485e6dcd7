/**
 * Effect of several machines on a study: spread of the values within one machine and between machines, and conditions
 * that did not run on the machines of their baseline.
 */
import { isMostlyApart } from '../../../core/stats/overlap.ts';
import { spreadOf } from '../../../core/stats/variance-components.ts';
import type { ConditionSummary, MachineSummary, TrialSummary } from './summary.ts';
import { summariseValues } from './values.ts';

/** Name that stands for the machine of trials whose record names none. */
const unnamed = 'a machine without a name';

const machineOf = ({ machine }: TrialSummary): string => machine ?? unnamed;

/**
 * Compares the machines of a study. `trials`: trials of the whole study. `ids`: quantities to report. Null if all valid
 * trials ran on one machine.
 */
export function machinesOf(
  conditions: readonly Pick<ConditionSummary, 'id' | 'baseline'>[],
  trials: readonly TrialSummary[],
  ids: readonly string[],
): MachineSummary | null {
  const counted = trials.filter(({ metrics }) => metrics !== null);
  const names = [...new Set(counted.map(machineOf))].sort();
  if (names.length < 2) return null;
  const of = (condition: string) => counted.filter(trial => trial.condition === condition);
  const machines = (condition: string) => of(condition).map(machineOf);
  return {
    machines: names.map(name => ({ name, trials: counted.filter(trial => machineOf(trial) === name).length })),
    conditions: conditions.map(({ id }) => ({
      id,
      trials: Object.fromEntries(names.map(name => [name, machines(id).filter(own => own === name).length])),
      spread: Object.fromEntries(
        ids.map(quantity => {
          const groups = names.map(name =>
            of(id)
              .filter(trial => machineOf(trial) === name)
              .flatMap(({ metrics }) => metrics![quantity] ?? []),
          );
          const medians = names.map((name, k) => [name, summariseValues(groups[k]!)] as const);
          return [quantity, { ...spreadOf(groups), medians: Object.fromEntries(medians.filter(([, { n }]) => n > 0)) }];
        }),
      ),
    })),
    mixedUp: conditions.flatMap(({ id, baseline }) => (isMostlyApart(machines(id), machines(baseline)) ? [id] : [])),
  };
}
