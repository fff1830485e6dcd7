/** The table of hold-ups: for each part and length what the viewer saw, and from which length on it is seen. */

import { ascending } from '../../../core/stats/quantile.ts';
import { stallRule } from '../../../core/vocabulary/stalls.ts';
import { type Effect, framePeriodMs, harmlessUpToMs, movesFromMs, spreadOf } from './hold-up-effects.ts';

/** `reading`: that of core/vocabulary/host-limits.ts by which the part tells of its hold-up; null where it has none. */
export type Part = { name: string; reading: string | null };

export const headOf = (): string =>
  [
    'part',
    'held up',
    'n',
    'longest gap, ms',
    'stalls',
    'frames missing',
    'latency added, ms',
    'round trip added, ms',
    'target left',
    'carried',
    'its own reading, ms',
    'frame captured late, ms',
  ].join(' | ');

function spread(values: readonly number[], say: (value: number) => string): string {
  const { median, least, most } = spreadOf(values);
  return Number.isNaN(median) ? '-' : `${say(median)} [${say(least)}, ${say(most)}]`;
}

const ms = (value: number) => `${Math.round(value)}`;
const tenth = (value: number) => value.toFixed(1);
const ratio = (value: number) => value.toFixed(2);

/** `resolution`: how much a value must differ to be told apart from another. */
const judged: readonly { what: string; value: (effect: Effect) => number; resolution: number }[] = [
  { what: 'gap', value: effect => effect.gapMs, resolution: framePeriodMs },
  { what: 'gap by two frame periods', value: effect => effect.gapMs, resolution: 2 * framePeriodMs },
  { what: 'latency', value: effect => effect.latencyMs, resolution: framePeriodMs },
  { what: 'round trip', value: effect => effect.roundTripMs, resolution: 1 },
  { what: 'frames', value: effect => effect.missingFrames, resolution: 1 },
  { what: 'target', value: effect => 1 - effect.targetRatio, resolution: 0.02 },
  { what: 'stall', value: effect => Number(effect.gapMs > stallRule.leastMs), resolution: 0.5 },
];

export function linesOfPart({ name, reading }: Part, effects: readonly Effect[]): string[] {
  const lengths = ascending([...new Set(effects.map(({ lengthMs }) => lengthMs))]);
  const rows = lengths.map(lengthMs => {
    const here = effects.filter(effect => effect.lengthMs === lengthMs);
    const of = (value: (effect: Effect) => number, say = ms) => spread(here.map(value), say);
    return [
      name,
      lengthMs === 0 ? 'not' : `${lengthMs} ms`,
      here.length,
      of(effect => effect.gapMs),
      here.filter(({ gapMs }) => gapMs > stallRule.leastMs).length,
      of(effect => effect.missingFrames, tenth),
      of(effect => effect.latencyMs),
      of(effect => effect.roundTripMs),
      of(effect => effect.targetRatio, ratio),
      of(effect => effect.carriedRatio, ratio),
      of(effect => (reading === null ? NaN : (effect.readings[reading] ?? NaN))),
      of(effect => effect.readings['frameLatenessMs'] ?? NaN),
    ].join(' | ');
  });
  const moves = judged.map(({ what, value, resolution }) => {
    const from = movesFromMs(effects, value, resolution);
    return `${what} ${from === undefined ? 'never' : `from ${from} ms`}`;
  });
  return [
    ...rows,
    `${name}: moves ${moves.join(', ')}`,
    `${name}: no stall and no lower target up to ${harmlessUpToMs(effects)} ms`,
  ];
}
