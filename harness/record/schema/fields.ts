/** Schemas for the fields of tables and series. Each field has a unit and a description. */
import { z } from '../../../core/schema/schema.ts';

/** Description of a field in the data dictionary. */
export type Field = {
  /** Unit of the field: "ms", "bit/s", "bytes". Empty if it has none. */
  unit: string;
  type: 'number' | 'text' | 'boolean';
  about: string;
};

/** Fields whose names Coexist does not choose: the statistics of a browser. */
export type OpenFields = {
  /** Text with which the names of all these fields begin. */
  prefix: string;
  about: string;
};

/** Fields of a table, by name. A field of an inner object has the object's name and a dot in front of its name. */
export type Described = { fields: Record<string, Field>; open: OpenFields[] };

const described = z.registry<Field>();
const statisticsOf = z.registry<{ about: string }>();

const numbered = (unit: string) => (about: string) => z.number().register(described, { unit, type: 'number', about });

export const ms = numbered('ms');
export const time = numbered('ms since 1970');
export const seconds = numbered('s');
export const bps = numbered('bit/s');
export const bytes = numbered('bytes');
export const packets = numbered('packets');
export const frames = numbered('frames');
export const ratio = numbered('ratio');
export const percent = numbered('%');
export const cores = numbered('cores');
export const pixels = numbered('pixels');
export const decibels = numbered('dB');
export const perSecond = numbered('1/s');
export const count = numbered('');

/** Schema of the place of a further bottleneck in the row. */
export const hop = () =>
  z
    .int()
    .min(2)
    .register(described, {
      unit: '',
      type: 'number',
      about: 'place of the bottleneck in the row; missing at the first',
    })
    .exactOptional();

const asText = (about: string): Field => ({ unit: '', type: 'text', about });

export const text = (about: string) => z.string().register(described, asText(about));
export const flag = (about: string) => z.boolean().register(described, { unit: '', type: 'boolean', about });
/** Schema of a flag that is either true or missing. */
export const mark = (about: string) => z.literal(true).register(described, { unit: '', type: 'boolean', about });
/** Schema of a text that is one of `words`. */
export const word = <const W extends readonly [string, ...string[]]>(words: W, about: string) =>
  z.enum(words).register(described, asText(about));
/**
 * Returns a function that makes the schema of a line's kind: a key with a fixed value, which distinguishes the kinds of
 * lines in a series.
 */
export const kinds =
  (about: string) =>
  <K extends string>(kind: K) => {
    const schema = z.literal(kind);
    described.add(schema, asText(about));
    return schema;
  };

/** Schema of a dictionary of getStats, as the browser returns it. */
export const statistics = (dictionary: string) =>
  z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).register(statisticsOf, {
    about:
      `W3C webrtc-stats, ${dictionary}: as getStats gave it, by its name there: seconds, bytes and counts, ` +
      "timestamps in ms of the page's clock",
  });

/** Returns the fields that a schema describes, in the order of the schema. */
export function describe(schema: z.ZodType): Described {
  const found: Described = { fields: {}, open: [] };
  walk(schema, '', found);
  return found;
}

function walk(schema: unknown, path: string, found: Described): void {
  const type = schema as z.ZodType;
  const field = described.get(type);
  const own = statisticsOf.get(type);
  if (field !== undefined) found.fields[path] ??= field;
  else if (own !== undefined) found.open.push({ prefix: `${path}.`, about: own.about });
  else if (type instanceof z.ZodNullable || type instanceof z.ZodOptional || type instanceof z.ZodExactOptional)
    walk(type.unwrap(), path, found);
  else if (type instanceof z.ZodUnion) for (const option of type.options) walk(option, path, found);
  else if (type instanceof z.ZodObject)
    for (const [name, inner] of Object.entries(type.shape)) walk(inner, path === '' ? name : `${path}.${name}`, found);
}

/** Returns the described fields of an object. The statistics of a browser are left out. */
export const fieldsOf = (shape: z.core.$ZodShape): Record<string, Field> => describe(z.object(shape)).fields;
