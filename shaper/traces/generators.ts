/**
 * Generators of links: a folder each in `made`, whose `index.ts` exports one `plugin`. A table depends on the generator,
 * its seed, the length and the direction alone.
 */
import { loadPlugins, type Plugin, pick } from '../../core/plugins.ts';
import { deriveSeed, type Random, seededRandom } from '../../core/random.ts';
import type { Direction } from '../../core/vocabulary/link.ts';
import type { Tables } from './statistics.ts';
import { type Table, type TableRow, tableOf } from './table.ts';

/** Statistic that a generator was fitted to, and how to compute it from a table. */
type Statistic = {
  /** Name with unit: "median rate down, Mbit/s". */
  name: string;
  published: number;
  of(tables: Tables): number;
};

export type MakeOptions = {
  lengthMs: number;
  direction: Direction;
  /** Returns the random numbers of a part. Parts that both directions share are named without the direction. */
  random(part: string): Random;
};

export type GeneratorPlugin = Plugin & {
  /** Sentences: what it models, what was fitted to nothing, and what it leaves out. */
  about: string;
  /** Length over which `statistics` are computed, ms. */
  fittedMs: number;
  statistics: readonly Statistic[];
  make(options: MakeOptions): TableRow[];
};

export const generators: ReadonlyMap<string, GeneratorPlugin> = await loadPlugins<GeneratorPlugin>(
  new URL('./made/', import.meta.url),
  'generator',
);

/** Makes the table of a direction. Throws `bad-definition` if there is no such generator. */
export function makeTable(
  { id, seed, lengthMs }: { id: string; seed: number; lengthMs: number },
  direction: Direction,
): Table {
  const generator = pick(generators, id, 'generator');
  const rows = generator.make({ lengthMs, direction, random: part => seededRandom(deriveSeed(seed, id, part)) });
  return tableOf(rows, { name: `what the generator ${id} makes` });
}

/** Statistics of a generator, each with the published value and its relative error. */
export function fitOf(
  { id, fittedMs, statistics }: GeneratorPlugin,
  seed = 1,
): { name: string; published: number; made: number; errorRatio: number }[] {
  const made = (direction: Direction) => makeTable({ id, seed, lengthMs: fittedMs }, direction);
  const tables = { down: made('down'), up: made('up') };
  return statistics.map(({ name, published, of }) => {
    const value = of(tables);
    return { name, published, made: value, errorRatio: value / published - 1 };
  });
}
