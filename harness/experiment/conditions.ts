/**
 * Conditions: what a definition compares. Each named condition, times every combination of `vary`; those that come
 * out the same are one.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import type { Link } from '../../core/link.ts';
import { pick } from '../../core/plugins.ts';
import type { Plugin } from '../../core/plugins.ts';
import { check, z } from '../../core/schema.ts';
import type { definitionSchema, ExperimentDefinition } from './define.ts';
import { linkSchema } from './link.ts';
import { overlay, withValue } from './set.ts';

export type Chosen = { id: string; title: string; params: unknown };

/** What is run: a link, a service and a flood, nothing left open. */
export type Spec = { link: Link; service: Chosen; flood: Chosen };

/** What one condition is. */
export type Condition = Spec & {
  /** Short name, fit for a folder. */
  id: string;
  title: string;
  /** The condition it is compared with; its own id for the baseline itself. */
  baseline: string;
};

export type Registries = { services: ReadonlyMap<string, Plugin>; floods: ReadonlyMap<string, Plugin>; aqms: ReadonlyMap<string, Plugin> };

type Checked = z.output<typeof definitionSchema>;
type SpecDefinition = Pick<ExperimentDefinition, 'link' | 'service' | 'flood'>;

/** What makes a condition; everything else of a definition belongs to the whole study. */
const conditionParts = ['link', 'service', 'flood'];

/** One combination of the values of `vary`. */
type Variation = {
  /** "flows-5" */
  slug: string;
  /** "flows 5" */
  label: string;
  assignments: [string, unknown][];
};

/** A condition in one variation, before those that are the same are joined. */
type Draft = { name: string; title: string; variation: Variation; spec: Spec };

/** Lower case, digits, dashes, and dots before digits. */
export function slug(text: string): string {
  return text.toLowerCase().replaceAll('%', 'percent').replace(/[^a-z0-9.]+|\.(?!\d)/g, '-').replace(/-+/g, '-').replace(/^-+|-+$/g, '');
}

/** Every combination, in the order written; one empty variation without any. */
function variations(vary: Record<string, unknown[]>): Variation[] {
  let all: Variation[] = [{ slug: '', label: '', assignments: [] }];
  for (const [path, values] of Object.entries(vary)) {
    const name = path.split('.').at(-1)!;
    all = all.flatMap(variation => values.map((value): Variation => {
      const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return {
        slug: joined('-', variation.slug, `${slug(name)}-${slug(shown)}`),
        label: joined(', ', variation.label, name === 'id' ? shown : `${name} ${shown}`), // an id names itself
        assignments: [...variation.assignments, [path, value]],
      };
    }));
  }
  return all;
}

/** The parts that are not empty. */
function joined(separator: string, ...parts: string[]): string {
  return parts.filter(part => part !== '').join(separator);
}

function choose(registry: ReadonlyMap<string, Plugin>, choice: unknown, kind: string): Chosen {
  const { id, ...params } = check(z.looseObject({ id: z.string() }), choice, kind);
  const plugin = pick(registry, id, kind);
  return { id, title: plugin.title, params: check(plugin.params, params, kind) };
}

export function resolveSpec({ link, service, flood }: SpecDefinition, registries: Registries): Spec {
  const checked = check(linkSchema, link, 'link');
  return {
    link: { ...checked, aqm: choose(registries.aqms, checked.aqm, 'AQM'), up: checked.up === null ? null : { ...checked.up, aqm: choose(registries.aqms, checked.up.aqm, 'AQM') } },
    service: choose(registries.services, service, 'service'),
    flood: choose(registries.floods, flood, 'flood'),
  };
}

function draft(definition: ExperimentDefinition, variation: Variation, name: string, change: object, registries: Registries): Draft {
  let varied = definition;
  for (const [path, value] of variation.assignments) varied = withValue(varied, path, value, 'vary');
  const { title, ...parts } = change as { title?: string };
  const unknown = Object.keys(parts).find(key => !conditionParts.includes(key));
  if (unknown !== undefined) {
    throw new CoexistError('bad-definition', `conditions.${name}: unknown key "${unknown}" (known: title, link, service, flood)`);
  }
  try {
    const spec = resolveSpec(overlay({ link: varied.link, service: varied.service, flood: varied.flood }, parts) as SpecDefinition, registries);
    return { name, title: title ?? name, variation, spec };
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    const where = joined(', ', name, variation.label);
    throw new CoexistError(error.code, `${where === '' ? '' : `condition ${where}: `}${error.message}`, error.hint === undefined ? {} : { hint: error.hint });
  }
}

/** Drafts of one spec are one condition; the variation is in its name only where it makes a difference. */
function join(drafts: readonly Draft[], ofName: number): Omit<Condition, 'baseline'> {
  const [first] = drafts as [Draft, ...Draft[]];
  const indifferent = drafts.filter(d => d.name === first.name).length === ofName;
  const variation = indifferent ? { slug: '', label: '' } : first.variation;
  return { ...first.spec, id: joined('-', slug(first.name), variation.slug) || 'all', title: joined(', ', first.title, variation.label) || 'All trials' };
}

/** Every condition of a definition. Throws an error that names the path at the first thing wrong. */
export function resolveConditions(study: string, definition: ExperimentDefinition, checked: Checked, registries: Registries): Condition[] {
  const elsewhere = Object.keys(checked.vary).find(path => !conditionParts.includes(path.split('.')[0]!));
  if (elsewhere !== undefined) {
    throw new CoexistError('bad-definition', `${study}: vary: "${elsewhere}" is no part of a condition`, { hint: `paths that vary begin with ${conditionParts.join(', ')}` });
  }
  // what is wrong with the definition itself is said before any condition comes into it
  resolveSpec(definition, registries);
  const named = Object.entries(checked.conditions);
  const changes = named.length === 0 ? [['', {}] as const] : named;
  const baselineName = checked.baseline ?? changes[0]![0];
  if (!changes.some(([name]) => name === baselineName)) {
    throw new CoexistError('bad-definition', `${study}: baseline: there is no condition "${baselineName}"`, { hint: `known: ${changes.map(([name]) => name).join(', ')}` });
  }
  const varied = variations(checked.vary);
  const groups: Draft[][] = [];
  for (const variation of varied) {
    for (const [name, change] of changes) {
      const next = draft(definition, variation, name, change, registries);
      const same = groups.find(([other]) => isDeepStrictEqual(other!.spec, next.spec));
      if (same === undefined) groups.push([next]);
      else same.push(next);
    }
  }
  const conditions = groups.map(group => join(group, varied.length));
  refuseTwins(study, conditions);
  return conditions.map((condition, i) => {
    const base = groups.findIndex(group => group.some(d => d.name === baselineName && d.variation === groups[i]![0]!.variation));
    return { ...condition, baseline: conditions[base]!.id };
  });
}

/** Conditions are told apart by folder and by title. */
function refuseTwins(study: string, conditions: readonly { id: string; title: string }[]): void {
  for (const [i, condition] of conditions.entries()) {
    const twin = conditions.slice(0, i).find(other => other.id === condition.id || other.title === condition.title);
    if (twin === undefined) continue;
    throw new CoexistError('bad-definition', `${study}: two conditions have the ${twin.id === condition.id ? `short name "${twin.id}"` : `title "${twin.title}"`}`, {
      hint: 'name them so that a folder and a reader can tell them apart',
    });
  }
}
