/**
 * Builds the advice in messages about a missing or wrong value: an example of a right value, derived from the schema.
 */
import { z } from 'zod';
import { shownValue } from '../text/shown-value.ts';
import { innerOf, schemaFacts } from './schema-facts.ts';

/** Example of each kind of quantity, as written in a definition. */
export const examples = {
  rate: '40mbit',
  duration: '40s',
  size: '64kB',
  percentage: '2%',
  'frame rate': '29.97',
  'queue limit': '50ms',
} as const;

/** Units that a user may have meant by a number without a unit, the usual unit first. */
const usualUnits: Partial<Record<keyof typeof examples, readonly string[]>> = {
  rate: ['mbit', 'kbit', 'bit', 'gbit'],
  duration: ['ms', 's', 'min'],
  size: ['bytes', 'kB', 'MB'],
  percentage: ['%'],
};

/**
 * Returns the number `given` with the first unit for which `fits` is true: "40ms" for 40 as a round-trip time.
 * Undefined if `given` is not a number without a unit, or no unit fits.
 */
export function withUnit(
  kind: keyof typeof examples,
  given: unknown,
  fits: (text: string) => boolean,
): string | undefined {
  const isNumber = typeof given === 'number' || (typeof given === 'string' && /^[+-]?\d+(\.\d+)?$/.test(given.trim()));
  if (!isNumber) return undefined;
  return usualUnits[kind]?.map(unit => `${String(given).trim()}${unit}`).find(fits);
}

/**
 * Returns the schema of the value at `path` and the description of that value. Undefined if the path leads to a part
 * that no schema describes.
 */
function schemaAt(
  root: z.ZodType,
  path: readonly PropertyKey[],
): { schema: z.ZodType; description: string } | undefined {
  const keys = [...path];
  let description = '';
  for (let schema: z.ZodType | undefined = root; schema !== undefined; ) {
    if (description === '') description = schema.description ?? '';
    const inner = innerOf(schema);
    if (inner !== undefined) schema = inner;
    else if (keys.length === 0) return { schema, description };
    else {
      const key = String(keys.shift());
      description = '';
      if (schema instanceof z.ZodObject) schema = (schema.shape as Record<string, z.ZodType>)[key];
      else if (schema instanceof z.ZodRecord) schema = schema.valueType as z.ZodType;
      else if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType;
      else return undefined;
    }
  }
  return undefined;
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/**
 * Returns an example of a value that the schema accepts. `given`: the value that the user wrote; if the schema expects
 * an object with a field that accepts `given`, the example shows `given` in that field.
 */
function exampleOf(outer: z.ZodType, given?: unknown): string {
  for (let schema = outer; ; ) {
    const facts = schemaFacts.get(schema);
    if (facts !== undefined && 'kind' in facts) return JSON.stringify(examples[facts.kind]);
    const inner = innerOf(schema);
    if (inner !== undefined) {
      schema = inner;
      continue;
    }
    if (schema instanceof z.ZodObject) return exampleObject(schema.shape as Record<string, z.ZodType>, given);
    if (schema instanceof z.ZodRecord) return `{ NAME: ${exampleOf(schema.valueType as z.ZodType)} }`;
    if (schema instanceof z.ZodArray) return `[${exampleOf(schema.element as z.ZodType, given)}]`;
    if (schema instanceof z.ZodEnum) return JSON.stringify(schema.options[0]);
    if (schema instanceof z.ZodBoolean) return 'true';
    if (schema instanceof z.ZodNumber) return String(Math.max(1, finite(schema.minValue) ?? 1));
    if (schema instanceof z.ZodString) return '"..."';
    return '...';
  }
}

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : undefined);

function exampleObject(shape: Record<string, z.ZodType>, given: unknown): string {
  const required = Object.keys(shape).filter(key => !isOptional(shape[key]!));
  const fits =
    typeof given === 'string'
      ? [...required, ...Object.keys(shape)].find(key => key === 'id' || takesQuantity(shape[key]!, given))
      : undefined;
  if (fits !== undefined && required.every(key => key === fits)) return `{ ${fits}: ${shownValue(given)} }`;
  const shown = required.length > 0 ? required : Object.keys(shape).slice(0, 1);
  return shown.length === 0 ? '{ ... }' : `{ ${shown.map(key => `${key}: ${exampleOf(shape[key]!)}`).join(', ')} }`;
}

function takesQuantity(outer: z.ZodType, given: string): boolean {
  for (let schema: z.ZodType | undefined = outer; schema !== undefined; schema = innerOf(schema)) {
    const facts = schemaFacts.get(schema);
    if (facts !== undefined) return 'kind' in facts && outer.safeParse(given).success;
  }
  return false;
}

/**
 * Returns advice for a message: '; write it like { limit: "50ms" }'. If nothing was given and the schema has a
 * description, the advice contains the description.
 */
export function whatToWrite(root: z.ZodType, path: readonly PropertyKey[], given?: unknown): string {
  const found = schemaAt(root, path);
  if (found === undefined) return '';
  const about = found.description
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\.(\s.*)?$/s, '');
  const example = exampleOf(found.schema, given);
  const isText = example === '"..."';
  const like = isText ? 'write a text' : `write it like ${example}`;
  if (about === '' || given !== undefined) return `; ${like}`;
  return `; ${like}: ${about[0]!.toLowerCase()}${about.slice(1)}`;
}
