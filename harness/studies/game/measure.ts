/**
 * Results of a trial of a game, computed from its record: the payoff of each player, and quantities of the link and of
 * the applications that are not players.
 */
import type { MetricPlugin } from '../../analysis/metrics/metric.ts';
import { compute } from '../../analysis/summary/compute.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import { TrialRecord } from '../../record/trial-record.ts';
import type { Payoffs } from './analysis/evidence.ts';
import type { State } from './analysis/game.ts';
import { rttCycleMs } from './define.ts';
import type { GameCase, GamePlan } from './plan.ts';
import { type GameRegistries, rolesOf } from './players.ts';

/** Names of the metrics of the link that a game reports. */
export const ofLink = ['link-utilisation', 'rtt-median', 'queue-drops'] as const;
/** Metrics of applications that are not players, and the direction in which each is better for a viewer. */
export const betterBeside = {
  goodput: 'higher',
  'stall-time': 'lower',
  'frame-rate': 'higher',
  'frame-latency-p95': 'lower',
  'g1072-score-bounded': 'higher',
} as const;
export type BesideQuantity = keyof typeof betterBeside;

export type TrialMeasurement = {
  /** Payoff per player, in the payoff's unit. */
  payoffs: Payoffs;
  /**
   * Payoffs over the first part of the window. They show if a shorter window would have given the same result. Empty if
   * the payoff is not goodput.
   */
  shorter: { windowMs: number; payoffs: Payoffs }[];
  /** Values of the link, by metric. Null if the trial has no value. */
  link: Record<string, number | null>;
  /** Values of each application that is not a player, by application and metric. */
  beside: Record<string, Record<string, number | null>>;
};

/** A trial in the run folder. `measured`: results of the trial; null if the trial does not count. */
export type GameTrial = { name: string; file: TrialFile; measured: TrialMeasurement | null };

/**
 * Computes the requested quantities of a trial. If a metric fails, its quantities are null; the caller reports missing
 * values.
 */
async function valuesOf(
  record: TrialRecord,
  metrics: readonly MetricPlugin[],
  wanted: readonly string[],
): Promise<Record<string, number | null>> {
  const values: Record<string, number | null> = Object.fromEntries(wanted.map(id => [id, null]));
  for (const metric of metrics.filter(({ quantities }) => quantities.some(({ id }) => wanted.includes(id)))) {
    try {
      const computed = await compute(
        metric,
        record,
        metric.quantities.filter(({ id }) => wanted.includes(id)),
      );
      for (const id of wanted) if (computed[id] !== undefined) values[id] = computed[id];
    } catch {
      continue;
    }
  }
  return values;
}

/**
 * True for rates and ratios. An application's rate or ratio is divided by the number of players that the application
 * represents. A value in another unit applies to each of these players.
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

/** Lengths of the shorter windows, as parts of the window. Each length is rounded down to whole RTT cycles of BBRv1. */
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
