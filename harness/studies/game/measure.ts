/**
 * Result of a trial of a game, from its record: the payoff of every player's application, and the cost of the state for
 * all.
 */
import type { MetricPlugin } from '../../analysis/metrics/metric.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import { TrialRecord } from '../../record/trial-record.ts';
import type { Payoffs } from './analysis/evidence.ts';
import type { State } from './analysis/game.ts';
import { rttCycleMs } from './define.ts';
import type { GameCase, GamePlan } from './plan.ts';
import { type GameRegistries, rolesOf } from './players.ts';

/** Quantities of the link, by their names in metrics. */
const ofLink = ['link-utilisation', 'rtt-median', 'queue-drops'] as const;
/** Quantities of applications that are not players, and the direction in which they are better for a viewer. */
export const betterBeside = {
  goodput: 'higher',
  'stall-time': 'lower',
  'frame-rate': 'higher',
  'frame-latency-p95': 'lower',
  'g1072-score-bounded': 'higher',
} as const;
export type BesideQuantity = keyof typeof betterBeside;

export type TrialMeasurement = {
  /** In the payoff's unit, per player. */
  payoffs: Payoffs;
  /**
   * Payoffs over the first part of the window. They show if a shorter window would have given the same result. Empty if
   * the payoff is not goodput.
   */
  shorter: { windowMs: number; payoffs: Payoffs }[];
  /** Values by quantity. Null if the trial has no value. */
  link: Record<string, number | null>;
  /** Values of each application that is not a player, by quantity. */
  beside: Record<string, Record<string, number | null>>;
};

/** Computes only the requested quantities. A metric that fails gives nulls; the caller reports missing values. */
async function valuesOf(
  record: TrialRecord,
  metrics: readonly MetricPlugin[],
  wanted: readonly string[],
): Promise<Record<string, number | null>> {
  const values: Record<string, number | null> = Object.fromEntries(wanted.map(id => [id, null]));
  for (const metric of metrics.filter(({ quantities }) => quantities.some(({ id }) => wanted.includes(id)))) {
    try {
      const computed = await metric.compute(record);
      for (const id of wanted) if (computed[id] !== undefined) values[id] = computed[id];
    } catch {
      continue;
    }
  }
  return values;
}

/**
 * True for rates and ratios, which are divided among the players that an application represents. Any other value
 * applies to each player.
 */
const isShared = (unit: string) => unit === 'bit/s' || unit === 'ratio';

type MeasureOptions = {
  plan: Pick<GamePlan, 'payoff'>;
  game: GameCase;
  state: State;
  registries: Pick<GameRegistries, 'services'>;
  metrics: readonly MetricPlugin[];
};

export async function payoffsOf(
  file: TrialFile,
  directory: string,
  { plan: { payoff }, game, state, registries, metrics }: MeasureOptions,
): Promise<Payoffs> {
  const sums: { total: number; players: number }[][] = game.groups.map(() =>
    game.strategies.map(() => ({ total: 0, players: 0 })),
  );
  const record = new TrialRecord(file, directory);
  for (const { name, group, strategy, players } of rolesOf(game.definition, game, state, registries)) {
    const value = (await valuesOf(record.as(name), metrics, [payoff.quantity]))[payoff.quantity]!;
    const sum = sums[group]![strategy]!;
    sum.total += value === null ? NaN : value * (isShared(payoff.unit) ? 1 : players);
    sum.players += players;
  }
  return sums.map(strategies =>
    strategies.map(({ total, players }) => (players === 0 || Number.isNaN(total) ? null : total / players)),
  );
}

/** Parts of the window. Each is rounded to whole RTT cycles of BBRv1. */
const windowParts = [1 / 4, 1 / 2];

async function shorterOf(
  file: TrialFile,
  directory: string,
  options: MeasureOptions,
): Promise<TrialMeasurement['shorter']> {
  const { phases } = file;
  if (phases === null || options.plan.payoff.quantity !== 'goodput') return [];
  const wholeMs = phases.windowEndMs - phases.windowStartMs;
  const lengths = [...new Set(windowParts.map(part => Math.floor((wholeMs * part) / rttCycleMs) * rttCycleMs))].filter(
    windowMs => windowMs > 0,
  );
  return Promise.all(
    lengths.map(async windowMs => ({
      windowMs,
      payoffs: await payoffsOf(
        { ...file, phases: { ...phases, windowEndMs: phases.windowStartMs + windowMs } },
        directory,
        options,
      ),
    })),
  );
}

export async function measureTrial(
  file: TrialFile,
  directory: string,
  options: MeasureOptions,
): Promise<TrialMeasurement> {
  const record = new TrialRecord(file, directory);
  const beside: TrialMeasurement['beside'] = {};
  const roles = rolesOf(options.game.definition, options.game, options.state, options.registries);
  for (const { name } of file.condition.applications) {
    if (!roles.some(role => role.name === name))
      beside[name] = await valuesOf(record.as(name), options.metrics, Object.keys(betterBeside));
  }
  return {
    payoffs: await payoffsOf(file, directory, options),
    shorter: await shorterOf(file, directory, options),
    link: await valuesOf(record, options.metrics, ofLink),
    beside,
  };
}
