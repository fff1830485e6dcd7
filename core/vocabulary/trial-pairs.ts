/**
 * Pairs of trials of a condition and its baseline: two valid trials of the same repeat that ran on the same machine.
 */

type Trial = {
  condition: string;
  repeat: number;
  /** Null if the record does not name it. */
  machine: string | null;
  /** Values by quantity. Null for a trial that does not count. */
  metrics: Readonly<Record<string, number | null>> | null;
};

type Conditions = { id: string; baseline: string };

/** Values of one quantity in both trials of a repeat. */
export type Pair = { own: number; base: number };

/** Returns both trials of each repeat in which both count. */
function repeatsOf({ id, baseline }: Conditions, trials: readonly Trial[]): { own: Trial; base: Trial }[] {
  const counted = (condition: string) =>
    trials.filter(trial => trial.condition === condition && trial.metrics !== null);
  const bases = new Map(counted(baseline).map(trial => [trial.repeat, trial]));
  return counted(id).flatMap(own => {
    const base = bases.get(own.repeat);
    return base === undefined ? [] : [{ own, base }];
  });
}

const ranApart = ({ own, base }: { own: Trial; base: Trial }) => own.machine !== base.machine;

/** Returns the number of repeats whose two trials count but ran on different machines. They form no pairs. */
export function repeatsApart(of: Conditions, trials: readonly Trial[]): number {
  return repeatsOf(of, trials).filter(ranApart).length;
}

/** Returns the values of each pair in which both trials have one. */
export function pairsOf(of: Conditions, trials: readonly Trial[], quantity: string): Pair[] {
  return repeatsOf(of, trials).flatMap(both => {
    const [own, base] = [both.own.metrics![quantity], both.base.metrics![quantity]];
    return typeof own === 'number' && typeof base === 'number' && !ranApart(both) ? [{ own, base }] : [];
  });
}
