/**
 * Forms pairs of a condition's trial and its baseline's trial: two valid trials of the same repeat that ran on the same
 * machine.
 */

type Trial = {
  condition: string;
  repeat: number;
  /** Name of the machine that ran the trial. Null if the record does not state it. */
  machine: string | null;
  /** Values of the trial by quantity. Null if the trial does not count. */
  metrics: Readonly<Record<string, number | null>> | null;
};

type Conditions = { id: string; baseline: string };

/**
 * Values of one quantity in a pair: in the trial of the condition (`own`), and in the trial of its baseline (`base`).
 */
export type Pair = { own: number; base: number };

/** Returns the trials of the condition and of its baseline for each repeat in which both count. */
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

/** Returns the number of repeats in which both trials count but ran on different machines. Such trials form no pair. */
export function repeatsApart(of: Conditions, trials: readonly Trial[]): number {
  return repeatsOf(of, trials).filter(ranApart).length;
}

/** Returns the values of `quantity` for each pair. A pair is left out if one of its trials has no value. */
export function pairsOf(of: Conditions, trials: readonly Trial[], quantity: string): Pair[] {
  return repeatsOf(of, trials).flatMap(both => {
    const [own, base] = [both.own.metrics![quantity], both.base.metrics![quantity]];
    return typeof own === 'number' && typeof base === 'number' && !ranApart(both) ? [{ own, base }] : [];
  });
}
