/** Lists the fields of a schema for documents: path, accepted values, default and description. */

import { type Facts, schemaFacts, z } from '../../core/schema/schema.ts';
import { innerOf } from '../../core/schema/schema-facts.ts';
import { parseFrameRate } from '../../core/text/frame-rate.ts';
import {
  formats,
  parseDurationMs,
  parseRateBps,
  parseRatio,
  parseSizeBytes,
  type QuantityKind,
} from '../../core/text/units.ts';
import { plainValue } from '../../core/vocabulary/varied.ts';

export type Field = {
  /**
   * Path of the field, for example "run.window". "[]" follows the name of a list, and "NAME" stands for a name that the
   * author of the definition chooses.
   */
  path: string;
  /** Accepted values in words, for example "duration, 1 s to 60 min". */
  accepts: string;
  /**
   * Default as written in a definition. It is "" if the field may be left out without a value, and null if there is no
   * default.
   */
  standard: string | null;
  isRequired: boolean;
  description: string;
};

const formsOf = ({ forms }: { forms: readonly object[] }) => forms as z.ZodType[];

/**
 * Returns a quantity as written in a definition: "40mbit" for a rate of 40e6 bit/s, "40s" for a duration of 40000 ms.
 */
export function asWritten(kind: QuantityKind, value: number): string {
  const text = formats[kind](value).replace(' ', '');
  return kind === 'rate' ? text.replace(/bit\/s$/, 'bit').toLowerCase() : text;
}

/**
 * For each kind of quantity, the parser that checks the text of `asWritten`, and a unit in which every value can be
 * written without rounding.
 */
const exact: Record<QuantityKind, { parse: (text: string) => number | undefined; unit: string }> = {
  rate: { parse: parseRateBps, unit: 'bit' },
  duration: { parse: parseDurationMs, unit: 'ms' },
  size: { parse: parseSizeBytes, unit: 'bytes' },
  percentage: { parse: parseRatio, unit: '%' },
  'frame rate': { parse: parseFrameRate, unit: '' },
};

/** Returns the value of a parameter as written in a definition, for example "8mbit" for a rate of 8e6 bit/s. */
export function writtenValue(schema: z.ZodType | undefined, value: unknown): string {
  const facts = schema === undefined ? undefined : bare(schema).facts;
  if (typeof value === 'number' && facts !== undefined && 'kind' in facts && facts.kind !== 'queue limit') {
    const { parse, unit } = exact[facts.kind];
    const text = asWritten(facts.kind, value);
    return parse(text) === value ? text : `${facts.kind === 'percentage' ? value * 100 : value}${unit}`;
  }
  return plainValue(value);
}

/** Schema without its wrappers (default, optional), and the properties that the wrappers gave it. */
type Bare = {
  schema: z.ZodType;
  facts: Facts | undefined;
  standard: unknown;
  hasStandard: boolean;
  isOptional: boolean;
  description: string;
};

function bare(outer: z.ZodType): Bare {
  const found: Bare = {
    schema: outer,
    facts: undefined,
    standard: undefined,
    hasStandard: false,
    isOptional: false,
    description: '',
  };
  for (let schema = outer; ; ) {
    found.schema = schema;
    found.facts ??= schemaFacts.get(schema);
    if (found.description === '') found.description = schema.description ?? '';
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
      if (!found.hasStandard) found.standard = schema.def.defaultValue;
      found.hasStandard = true;
    } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) found.isOptional = true;
    else if (schema instanceof z.ZodPipe && found.facts !== undefined) return found;
    const inner = innerOf(schema);
    if (inner === undefined) return found;
    schema = inner;
  }
}

function rangeText(least: string | undefined, most: string | undefined, isAbove = false): string {
  if (least !== undefined && most !== undefined) return `, ${isAbove ? 'more than ' : ''}${least} to ${most}`;
  if (least !== undefined) return `, ${isAbove ? 'more than' : 'at least'} ${least}`;
  return most === undefined ? '' : `, at most ${most}`;
}

const finite = (value: number | null) =>
  value === null || !Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : String(value);

function acceptsOf({ schema, facts }: Bare): string {
  if (facts !== undefined && 'accepts' in facts) return facts.accepts;
  if (facts !== undefined && 'forms' in facts)
    return formsOf(facts)
      .map(form => acceptsOf(bare(form)))
      .filter((text, k, all) => all.indexOf(text) === k)
      .join(', or ');
  if (facts?.kind === 'queue limit') return 'queue limit: `1000packets`, `1500kB`, `300ms`, `1s` or `2bdp`';
  if (facts !== undefined) {
    const { kind, range = {} } = facts;
    const format = (value: number | undefined) =>
      value === undefined ? undefined : formats[kind as keyof typeof formats](value);
    return `${kind}${rangeText(format(range.min ?? range.moreThan), format(range.max), range.moreThan !== undefined)}`;
  }
  if (schema instanceof z.ZodEnum)
    return schema.options
      .map(word => `\`${word}\``)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or ');
  if (schema instanceof z.ZodNumber) {
    const isAbove =
      schema.def.checks?.some(one => one instanceof z.core.$ZodCheckGreaterThan && !one._zod.def.inclusive) === true;
    const range = rangeText(finite(schema.minValue), finite(schema.maxValue), isAbove);
    return `${schema.isInt ? 'whole number' : 'number'}${range}`;
  }
  if (schema instanceof z.ZodBoolean) return '`true` or `false`';
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodUnion)
    return schema.options.map(option => acceptsOf(bare(option as z.ZodType))).join(' or ');
  return 'object';
}

function standardOf({ facts, standard, hasStandard, schema }: Bare): string | null {
  if (!hasStandard) return null;
  if (standard === null || (typeof standard === 'object' && Object.keys(standard).length === 0)) return '';
  if (typeof standard === 'number' && facts !== undefined && 'kind' in facts && facts.kind !== 'queue limit')
    return asWritten(facts.kind, standard);
  if (schema instanceof z.ZodObject || typeof standard === 'object')
    return JSON.stringify(standard)
      .replaceAll('"', "'")
      .replace(/'(\w+)':/g, '$1: ')
      .replace('{', '{ ')
      .replace('}', ' }');
  return String(standard);
}

/**
 * Returns all fields below a schema. The fields of an object are listed one by one. A plug-in (id and parameters) is
 * one field.
 */
export function fieldsOf(schema: z.ZodType, prefix = ''): Field[] {
  const { schema: inner, facts } = bare(schema);
  if (facts !== undefined && 'forms' in facts) return distinct(formsOf(facts).flatMap(form => fieldsOf(form, prefix)));
  if (facts !== undefined) return [];
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element as z.ZodType, `${prefix}[]`);
  if (inner instanceof z.ZodRecord) return fieldsOf(inner.valueType as z.ZodType, `${prefix}.NAME`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const own = bare(field);
    const below = fieldsOf(field, path);
    const isGroup = own.facts === undefined && own.schema instanceof z.ZodObject && below.length > 0;
    const itself: Field = {
      path,
      accepts: acceptsOf(own),
      standard: standardOf(own),
      isRequired: !own.hasStandard && !own.isOptional,
      description: own.description,
    };
    return isGroup && own.description === '' ? below : [itself, ...below];
  });
}

function distinct(fields: readonly Field[]): Field[] {
  return fields.filter(({ path }, k) => fields.findIndex(other => other.path === path) === k);
}
