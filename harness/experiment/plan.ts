/**
 * The plan: a definition resolved into every trial that will be run, with no choice left open.
 *
 * Conditions are the definition's own, times every combination of `vary`; conditions that come out the
 * same are run once. Trials go round robin: every condition once, then every condition again, so
 * that a slow drift of the machine touches all conditions alike.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../base/errors.ts';
import { pick } from '../base/plugins.ts';
import type { Plugin } from '../base/plugins.ts';
import { deriveSeed } from '../base/random.ts';
import { check, z } from '../base/schema.ts';
import { definitionSchema } from './define.ts';
import type { ExperimentDefinition } from './define.ts';
import { linkSchema } from './link.ts';
import type { Link } from './link.ts';
import { overlay, withValue } from './set.ts';

export type Chosen = { id: string; title: string; params: unknown };

/** What one condition is. */
export type Condition = {
  /** Short name, fit for a folder. */
  id: string;
  title: string;
  link: Link;
  service: Chosen;
  flood: Chosen;
  /** The condition it is compared with; its own id for the baseline itself. */
  baseline: string;
};

export type RunTimes = z.output<typeof definitionSchema>['run'];

export type Trial = {
  /** Position in the plan, from 1. */
  number: number;
  /** Folder name, "0001-baseline". */
  id: string;
  condition: string;
  /** From 1. */
  repeat: number;
  /** The same for all conditions of one repeat: they see the same random losses. */
  seed: number;
};

export type Plan = {
  format: 1;
  study: string;
  title: string;
  question: string;
  source: string;
  definition: ExperimentDefinition;
  run: RunTimes;
  conditions: Condition[];
  trials: Trial[];
};

export type Registries = { services: ReadonlyMap<string, Plugin>; floods: ReadonlyMap<string, Plugin> };

/** What makes a condition; everything else of a definition belongs to the whole study. */
const conditionParts = ['link', 'service', 'flood'];

type Variation = { suffix: string; label: string; assignments: [string, unknown][] };

/** Every combination of the values of `vary`, in the order written; one empty variation without it. */
function variations(vary: Record<string, unknown[]>): Variation[] {
  let all: Variation[] = [{ suffix: '', label: '', assignments: [] }];
  for (const [path, values] of Object.entries(vary)) {
    const name = path.split('.').at(-1)!;
    all = all.flatMap(variation => values.map(value => {
      const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return {
        suffix: `${variation.suffix}-${name}-${slug(shown)}`,
        label: `${variation.label}, ${name} ${shown}`,
        assignments: [...variation.assignments, [path, value] as [string, unknown]],
      };
    }));
  }
  return all;
}

/** Lower case, digits, dashes, and dots before digits. */
export function slug(text: string): string {
  return text.toLowerCase().replaceAll('%', 'percent').replace(/[^a-z0-9.]+|\.(?!\d)/g, '-').replace(/-+/g, '-').replace(/^-+|-+$/g, '');
}

/** True where JSON can hold all of it. */
function isPlainData(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false; // cyclic, or a BigInt
  }
}

function choose(registry: ReadonlyMap<string, Plugin>, choice: unknown, kind: string): Chosen {
  const { id, ...params } = check(z.looseObject({ id: z.string() }), choice, kind);
  const plugin = pick(registry, id, kind);
  return { id, title: plugin.title, params: check(plugin.params, params, kind) };
}

/** Resolves a definition. Throws an error that names the path and the mend at the first thing wrong. */
export function makePlan(study: string, definition: ExperimentDefinition, registries: Registries): Plan {
  if (!isPlainData(definition)) {
    throw new CoexistError('bad-definition', `${study}: the definition holds something that is not plain data`, {
      hint: 'use literals only: text, numbers, lists and objects',
    });
  }
  const checked = check(definitionSchema, definition, study);
  const elsewhere = Object.keys(checked.vary).find(path => !conditionParts.includes(path.split('.')[0]!));
  if (elsewhere !== undefined) {
    throw new CoexistError('bad-definition', `${study}: vary: "${elsewhere}" is no part of a condition`, { hint: `paths that vary begin with ${conditionParts.join(', ')}` });
  }
  // what is wrong with the definition itself is said before any condition comes into it
  resolveSpec(definition, registries);
  const named = Object.entries(checked.conditions);
  const changes = named.length === 0 ? [['all', {}] as const] : named;
  const baselineName = checked.baseline ?? changes[0]![0];
  if (!changes.some(([name]) => name === baselineName)) {
    throw new CoexistError('bad-definition', `${study}: baseline: there is no condition "${baselineName}"`, {
      hint: `known: ${changes.map(([name]) => name).join(', ')}`,
    });
  }
  const conditions: Condition[] = [];
  for (const variation of variations(checked.vary)) {
    const idOf = new Map<string, string>();
    for (const [name, change] of changes) {
      const condition = resolveCondition(definition, variation, name, change, registries);
      const same = conditions.find(other => isDeepStrictEqual({ ...other, id: '', title: '', baseline: '' }, { ...condition, id: '', title: '', baseline: '' }));
      if (same === undefined) conditions.push(condition);
      idOf.set(name, (same ?? condition).id);
    }
    for (const id of idOf.values()) {
      const condition = conditions.find(c => c.id === id)!;
      if (condition.baseline === '') condition.baseline = idOf.get(baselineName)!;
    }
  }
  refuseTwins(study, conditions);
  return {
    format: 1, study, title: checked.title, question: checked.question, source: checked.source,
    definition, run: checked.run, conditions, trials: order(conditions, checked.run.repeats, checked.run.seed),
  };
}

/** Conditions are told apart by folder and by title. */
function refuseTwins(study: string, conditions: readonly Condition[]): void {
  for (const [i, condition] of conditions.entries()) {
    const twin = conditions.slice(0, i).find(other => other.id === condition.id || other.title === condition.title);
    if (twin === undefined) continue;
    throw new CoexistError('bad-definition', `${study}: two conditions have the ${twin.id === condition.id ? `short name "${twin.id}"` : `title "${twin.title}"`}`, {
      hint: 'name them so that a folder and a reader can tell them apart',
    });
  }
}

function resolveCondition(definition: ExperimentDefinition, variation: Variation, name: string, change: object, registries: Registries): Condition {
  let varied = definition;
  for (const [path, value] of variation.assignments) varied = withValue(varied, path, value, 'vary');
  const { title, ...parts } = change as { title?: string };
  const unknown = Object.keys(parts).find(key => !conditionParts.includes(key));
  if (unknown !== undefined) {
    throw new CoexistError('bad-definition', `conditions.${name}: unknown key "${unknown}" (known: title, link, service, flood)`);
  }
  const spec = overlay({ link: varied.link, service: varied.service, flood: varied.flood }, parts) as Pick<ExperimentDefinition, 'link' | 'service' | 'flood'>;
  try {
    return { id: `${slug(name)}${variation.suffix}`, title: `${title ?? name}${variation.label}`, ...resolveSpec(spec, registries), baseline: '' };
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    throw new CoexistError(error.code, `condition ${name}${variation.label}: ${error.message}`, error.hint === undefined ? {} : { hint: error.hint });
  }
}

function resolveSpec({ link, service, flood }: Pick<ExperimentDefinition, 'link' | 'service' | 'flood'>, registries: Registries) {
  return {
    link: check(linkSchema, link, 'link'),
    service: choose(registries.services, service, 'service'),
    flood: choose(registries.floods, flood, 'flood'),
  };
}

function order(conditions: Condition[], repeats: number, seed: number): Trial[] {
  const trials: Trial[] = [];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const condition of conditions) {
      const number = trials.length + 1;
      trials.push({
        number, id: `${String(number).padStart(4, '0')}-${condition.id}`, condition: condition.id, repeat,
        seed: deriveSeed(seed, 'repeat', repeat),
      });
    }
  }
  return trials;
}

/** The condition of that id. */
export function conditionOf(plan: Plan, id: string): Condition {
  const condition = plan.conditions.find(c => c.id === id);
  if (condition === undefined) throw new CoexistError('bad-run-folder', `the plan has no condition "${id}"`);
  return condition;
}
