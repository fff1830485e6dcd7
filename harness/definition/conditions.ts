/**
 * Computes the conditions of a study from its definition. Each named condition is combined with every variation of
 * `vary`; combinations with equal results become one condition.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import type { Plugin } from '../../core/plugins.ts';
import { check, type z } from '../../core/schema/schema.ts';
import { listed } from '../../core/text/listed.ts';
import { unknownName } from '../../core/text/nearest.ts';
import { slug } from '../../core/text/slug.ts';
import type { DurationText } from '../../core/text/units.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { kindFacts } from '../../core/vocabulary/service-kinds.ts';
import { plainValue, variedWords } from '../../core/vocabulary/varied.ts';
import {
  type Application,
  type ApplicationRegistries,
  type Chosen,
  choose,
  refuseMixed,
  resolveApplications,
} from './applications.ts';
import type { definitionSchema, ExperimentDefinition } from './define.ts';
import { linkSchema, linkWithPaths, withSameQueue } from './link.ts';
import { overlay, withValue } from './set.ts';

/**
 * Link and applications of a trial, with all choices resolved. The keys of `link.paths` are the names of the
 * applications.
 */
type Spec = {
  link: Link;
  applications: Application[];
  /** Name of the application that the study is about. */
  subject: string;
};

export type Condition = Spec & {
  /** Short name of the condition. It is also part of the name of a folder. */
  id: string;
  /**
   * Name of the condition in the definition. All variations of the condition have the same name. Missing if the name
   * equals the id.
   */
  name?: string;
  title: string;
  /** Titles of other named conditions with the same link and applications, which this one stands for. */
  also?: string[];
  /**
   * Id of the baseline: the condition with which this condition is compared. The baseline itself has its own id here.
   */
  baseline: string;
  /** Length of the measured window, ms. Missing if it is that of the study (`run.windowMs`). */
  windowMs?: number;
};

export type Registries = ApplicationRegistries & {
  aqms: ReadonlyMap<string, Plugin>;
};

type Checked = z.output<typeof definitionSchema>;
type SpecDefinition = Pick<ExperimentDefinition, 'link' | 'service' | 'flood' | 'tunnel' | 'applications' | 'subject'>;
type Times = { windowMs: number; headStart: DurationText };

/** Keys of a definition that describe a condition. All other keys belong to the whole study. */
const conditionParts = ['link', 'service', 'flood', 'tunnel', 'applications'];

/** Variation: a combination of values, one for each key of `vary`. */
type Variation = {
  /** Text for the id of a condition: "flows-5". */
  slug: string;
  /** Text for the title of a condition: "flows 5". */
  label: string;
  assignments: [string, unknown][];
};

/** A named condition in one variation, before conditions with equal results are joined. */
type Draft = { name: string; title: string; variation: Variation; spec: Spec };

/** Returns the services of all conditions. An object that several conditions share is returned once. */
export function servicesOf(conditions: readonly Condition[]): Chosen[] {
  return [...new Set(conditions.flatMap(({ applications }) => applications.map(({ service }) => service)))];
}

/**
 * Returns every combination of the values of `vary`, in the order in which the values are written. If `vary` is empty,
 * it returns one empty variation.
 */
export function variations(vary: Record<string, unknown[]>): Variation[] {
  let all: Variation[] = [{ slug: '', label: '', assignments: [] }];
  for (const [path, values] of Object.entries(vary)) {
    const name = path.split('.').at(-1)!;
    all = all.flatMap(variation =>
      values.map((value): Variation => {
        const shown = plainValue(value);
        return {
          slug: joined('-', variation.slug, `${slug(name)}-${slug(shown)}`),
          label: joined(', ', variation.label, variedWords(path, value)),
          assignments: [...variation.assignments, [path, value]],
        };
      }),
    );
  }
  return all;
}

/** Returns the parts that are not empty, with the separator between them. */
function joined(separator: string, ...parts: string[]): string {
  return parts.filter(part => part !== '').join(separator);
}

export function resolveSpec(
  { link: asWritten, subject, ...written }: SpecDefinition,
  registries: Registries,
  times: Times,
): Spec {
  const checked = check(linkSchema, withSameQueue(asWritten), 'link');
  const all = resolveApplications({ ...written, link: asWritten }, registries, times);
  const applications = all.map(({ path: _, ...application }) => application);
  const link = linkWithPaths(
    checked,
    all.map(({ name, path }) => [name, path] as const),
  );
  const withAqm = <T extends { aqm: typeof link.aqm }>(one: T) => ({
    ...one,
    aqm: choose(registries.aqms, one.aqm, 'AQM'),
  });
  const withAqms = <T extends { aqm: typeof link.aqm; up: typeof link.up }>(one: T) => ({
    ...withAqm(one),
    up: one.up === null ? null : withAqm(one.up),
  });
  const { further, ...first } = link;
  return {
    link: { ...withAqms(first), ...(further === undefined ? {} : { further: further.map(withAqms) }) },
    applications,
    subject: resolveSubject(subject, applications, times.windowMs),
  };
}

/**
 * Returns the name of the subject: the application that the definition asks for, by default the first one with video,
 * or else the first application. Throws if the subject is not in use for the whole window.
 */
function resolveSubject(asked: string | undefined, applications: readonly Application[], windowMs: number): string {
  const names = applications.map(({ name }) => name);
  if (asked !== undefined && !names.includes(asked))
    throw unknownName('bad-definition', `subject: there is no application "${asked}"`, asked, names);
  const whole = applications.filter(
    ({ startMs, stopMs, pauses }) => (startMs ?? 0) <= 0 && (stopMs ?? windowMs) >= windowMs && pauses === undefined,
  );
  const subject = asked ?? (whole.find(({ kind }) => kindFacts(kind).showsVideo === true) ?? whole[0])?.name;
  if (subject === undefined || !whole.some(({ name }) => name === subject)) {
    const mend =
      whole.length === 0
        ? 'leave out the start, stop and pauses of one'
        : `choose among ${whole.map(({ name }) => name).join(', ')}`;
    throw new CoexistError(
      'bad-definition',
      `subject: ${subject === undefined ? 'no application is' : `"${subject}" is not`} in use for the whole window`,
      { hint: `figures and verdict are about one that is: ${mend}` },
    );
  }
  return subject;
}

function draft(
  definition: ExperimentDefinition,
  variation: Variation,
  name: string,
  change: object,
  registries: Registries,
  times: Times,
): Draft {
  let varied = definition;
  for (const [path, value] of variation.assignments) varied = withValue(varied, path, value, 'vary');
  const { title, baseline: _, ...parts } = change as { title?: string; baseline?: string };
  const unknown = Object.keys(parts).find(key => !conditionParts.includes(key));
  if (unknown !== undefined) {
    throw new CoexistError(
      'bad-definition',
      `conditions.${name}: unknown key "${unknown}" (known: title, baseline, ${conditionParts.join(', ')})`,
    );
  }
  try {
    const { link, service, flood, tunnel, applications, subject } = varied;
    const written = Object.fromEntries(
      Object.entries({ link, service, flood, tunnel, applications }).filter(([, value]) => value !== undefined),
    );
    refuseMixed(written, parts);
    const spec = resolveSpec(
      { ...(overlay(written, parts) as SpecDefinition), ...(subject === undefined ? {} : { subject }) },
      registries,
      times,
    );
    return { name, title: title ?? name, variation, spec };
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    const where = joined(', ', name, variation.label);
    throw new CoexistError(
      error.code,
      `${where === '' ? '' : `condition ${where}: `}${error.message}`,
      error.hint === undefined ? {} : { hint: error.hint },
    );
  }
}

/**
 * Returns one condition for drafts with equal link and applications. `ofName`: number of all variations. If the drafts
 * contain every variation of the named condition, the id and the title of the condition do not mention a variation.
 */
function join(drafts: readonly Draft[], ofName: number): Omit<Condition, 'baseline'> {
  const [first] = drafts as [Draft, ...Draft[]];
  const indifferent = drafts.filter(d => d.name === first.name).length === ofName;
  const variation = indifferent ? { slug: '', label: '' } : first.variation;
  const id = joined('-', slug(first.name), variation.slug) || 'all';
  const others = drafts.filter(({ name }) => name !== first.name);
  const also = [...new Set(others.map(({ title, variation: { label } }) => joined(', ', title, label)))];
  return {
    ...first.spec,
    id,
    ...(first.name === '' || first.name === id ? {} : { name: first.name }),
    title: joined(', ', first.title, variation.label) || 'All trials',
    ...(also.length === 0 ? {} : { also }),
  };
}

/** Returns all conditions of a definition. Throws an error that names the path of the first mistake. */
export function resolveConditions(
  study: string,
  definition: ExperimentDefinition,
  checked: Checked,
  registries: Registries,
): Condition[] {
  const elsewhere = Object.keys(checked.vary).find(path => !conditionParts.includes(path.split('.')[0]!));
  if (elsewhere !== undefined) {
    throw new CoexistError('bad-definition', `${study}: vary: "${elsewhere}" is no part of a condition`, {
      hint: `paths that vary begin with ${conditionParts.join(', ')}`,
    });
  }
  // the definition is checked without its conditions first, so that its own mistakes are not reported as those of a
  // condition
  const times: Times = { windowMs: checked.run.windowMs, headStart: `${checked.run.floodLeadMs}ms` };
  resolveSpec(definition, registries, times);
  const named = Object.entries(checked.conditions);
  const changes = named.length === 0 ? [['', {}] as const] : named;
  const baselineOf = baselines(study, checked.baseline, changes);
  const varied = variations(checked.vary);
  const groups: Draft[][] = [];
  for (const variation of varied) {
    for (const [name, change] of changes) {
      const next = draft(definition, variation, name, change, registries, times);
      const same = groups.find(([other]) => isDeepStrictEqual(other!.spec, next.spec));
      if (same === undefined) groups.push([next]);
      else same.push(next);
    }
  }
  const conditions = groups.map(group => join(group, varied.length));
  refuseTwins(study, conditions);
  return conditions.map((condition, i) => {
    const { name, variation } = groups[i]![0]!;
    const base = groups.findIndex(group => group.some(d => d.name === baselineOf(name) && d.variation === variation));
    return { ...condition, baseline: conditions[base]!.id };
  });
}

/** Returns a line for each condition that stands for others with the same link and applications. */
export function sameLines(conditions: readonly Pick<Condition, 'title' | 'also'>[]): string[] {
  return conditions.flatMap(({ title, also }) =>
    also === undefined
      ? []
      : [
          `note: ${listed(also.map(one => `"${one}"`))} has the same link and applications as "${title}": one condition`,
        ],
  );
}

/**
 * Returns a function that returns the name of a condition's baseline: the one that the condition names, otherwise
 * `ofStudy`, by default the first condition. A condition that another one names as its baseline is its own.
 */
function baselines(
  study: string,
  ofStudy: string | undefined,
  changes: readonly (readonly [name: string, change: { baseline?: string | undefined }])[],
): (name: string) => string {
  const own = new Map(changes.flatMap(([name, { baseline }]) => (baseline === undefined ? [] : [[name, baseline]])));
  const named = new Set(own.values());
  const usual = ofStudy ?? changes[0]![0];
  for (const name of [usual, ...named]) {
    if (changes.some(([known]) => known === name)) continue;
    throw new CoexistError('bad-definition', `${study}: baseline: there is no condition "${name}"`, {
      hint: `known: ${changes.map(([known]) => known).join(', ')}`,
    });
  }
  return name => own.get(name) ?? (named.has(name) ? name : usual);
}

/** Throws if two conditions have the same id or the same title. */
function refuseTwins(study: string, conditions: readonly { id: string; title: string }[]): void {
  for (const [i, condition] of conditions.entries()) {
    const twin = conditions.slice(0, i).find(other => other.id === condition.id || other.title === condition.title);
    if (twin === undefined) continue;
    throw new CoexistError(
      'bad-definition',
      `${study}: two conditions have the ${twin.id === condition.id ? `short name "${twin.id}"` : `title "${twin.title}"`}`,
      {
        hint: 'give each condition its own short name and title',
      },
    );
  }
}
