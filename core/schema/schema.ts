/**
 * Schemas for input that people write: zod, with the project's quantities and messages.
 *
 * A quantity is text with a unit in the input, and a plain number after parsing. The number's unit is part of the name
 * of its key. Unknown keys are refused with the nearest known key, so that a misspelt option is always reported.
 */
import { z } from 'zod';
import { CoexistError, type ErrorCode } from '../errors.ts';
import { formatFrameRate, parseFrameRate } from '../text/frame-rate.ts';
import { meantWords } from '../text/nearest.ts';
import { shownValue } from '../text/shown-value.ts';
import {
  type DurationText,
  formatDuration,
  formatRate,
  formatRatio,
  formatSize,
  parseDurationMs,
  parseQueueLimit,
  parseRateBps,
  parseRatio,
  parseSizeBytes,
  type QuantityKind,
  type QueueLimit,
  type QueueLimitText,
  type RateText,
  type RatioText,
  type SizeText,
  trimmed,
} from '../text/units.ts';
import { examples, whatToWrite, withUnit } from './schema-example.ts';
import { type Facts, type Range, schemaFacts } from './schema-facts.ts';

export { z };

/** Value that people write for a schema. A key that is optional is left out, never undefined, as in JSON. */
export type Written<S extends z.ZodType> = Exact<z.input<S>>;

type Exact<T> = T extends readonly (infer E)[]
  ? Exact<E>[]
  : T extends object
    ? { [K in keyof T]: Exact<Exclude<T[K], undefined>> }
    : T;

type FrameRateText = `${number}` | `${number}/${number}`;

export type { Facts };
export { schemaFacts };

/** Returns a schema of an object that refuses unknown keys and suggests the key that was probably meant. */
export function object<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: issue => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const key = String(issue.keys[0]);
      return `unknown key ${shownValue(key)}${meantWords(key, known)} (known: ${known.join(', ')})`;
    },
  });
}

function outside(value: number, { min, max, moreThan }: Range): 'less' | 'more' | undefined {
  if ((min !== undefined && value < min) || (moreThan !== undefined && value <= moreThan)) return 'less';
  return max !== undefined && value > max ? 'more' : undefined;
}

function quantity<Text extends string>(
  kind: QuantityKind,
  parse: (text: string) => number | undefined,
  range: Range,
  format: (value: number) => string,
  example: string = examples[kind],
) {
  const schema = z
    .custom<Text>(() => true)
    .transform((text, context): number => {
      const value = typeof text === 'string' ? parse(text) : undefined;
      if (value === undefined) {
        const like = withUnit(kind, text, written => {
          const meant = parse(written);
          return meant !== undefined && outside(meant, range) === undefined;
        });
        context.addIssue(
          text === undefined
            ? `${missing}; write it like "${example}"`
            : `${shownValue(text)} is not a ${kind}; write it like "${like ?? example}"`,
        );
        return z.NEVER;
      }
      const side = outside(value, range);
      if (side !== undefined) {
        const bound =
          side === 'more'
            ? `at most ${format(range.max!)}`
            : range.moreThan !== undefined
              ? `more than ${format(range.moreThan)}`
              : `at least ${format(range.min!)}`;
        context.addIssue(`${shownValue(text)} is out of range; it must be ${bound}`);
        return z.NEVER;
      }
      return value;
    });
  schemaFacts.add(schema, { kind, range });
  return schema;
}

/** Returns a schema that parses "40mbit" as 40e6 bit/s. */
export function rate(range: Range = { moreThan: 0 }) {
  return quantity<RateText>('rate', parseRateBps, range, formatRate);
}

/** Returns a schema that parses "200ms" as 200 ms. */
export function duration(range: Range = { min: 0 }) {
  return quantity<DurationText>('duration', parseDurationMs, range, formatDuration);
}

/** Returns a schema that parses "-5s" as -5000 ms, and "200ms" as 200 ms. */
export function signedDuration(range: Range = {}) {
  return quantity<DurationText | `-${DurationText}`>('duration', parseDurationMs, range, formatDuration, '-5s');
}

/** Returns a schema that parses "64kB" as 64000 bytes. */
export function size(range: Range = { moreThan: 0 }) {
  return quantity<SizeText>('size', parseSizeBytes, range, formatSize);
}

/** Returns a schema that parses "2%" as 0.02. */
export function ratio(range: Range = { min: 0, max: 1 }) {
  return quantity<RatioText>('percentage', parseRatio, range, formatRatio);
}

/** Returns a schema that parses 30, "29.97" or "30000/1001" as frames per second. */
export function frameRate(range: { min: number; max: number }) {
  const written = quantity<FrameRateText>('frame rate', parseFrameRate, range, formatFrameRate);
  const schema = z
    .custom<number | FrameRateText>(() => true)
    .transform(given => (typeof given === 'number' ? String(given) : given) as FrameRateText)
    .pipe(written);
  schemaFacts.add(schema, { kind: 'frame rate', range });
  return schema;
}

/** Returns a schema that parses "1000packets" as { unit: 'packets', value: 1000 }. */
export function queueLimit() {
  const schema = z
    .custom<QueueLimitText>(() => true)
    .transform((text, context): QueueLimit => {
      const limit = typeof text === 'string' ? parseQueueLimit(text) : undefined;
      if (limit === undefined) {
        context.addIssue(
          `${text === undefined ? missing : `${shownValue(text)} is not a queue limit`}; ` +
            'write it like "1000packets", "1500kB", "300ms", "1s" or "2bdp"',
        );
        return z.NEVER;
      }
      if (!(limit.value > 0)) {
        context.addIssue(`${shownValue(text)} leaves no queue; the limit must be more than 0`);
        return z.NEVER;
      }
      return limit;
    });
  schemaFacts.add(schema, { kind: 'queue limit' });
  return schema;
}

/** Returns a schema of a whole number without a unit (a count, a seed, a number of pixels). */
export function integer(range: { min: number; max: number }) {
  return z
    .number({ error: issue => `${shownValue(issue.input)} is not a number` })
    .int({ error: issue => `${shownValue(issue.input)} is not a whole number` })
    .min(range.min, {
      error: issue => `${shownValue(issue.input)} is out of range; it must be at least ${trimmed(range.min)}`,
    })
    .max(range.max, {
      error: issue => `${shownValue(issue.input)} is out of range; it must be at most ${range.max}`,
    });
}

export function choice<const W extends readonly [string, ...string[]]>(words: W) {
  return z.enum(words, {
    error: ({ input }) =>
      `${shownValue(input)} is not one of ${words.join(', ')}${typeof input === 'string' ? meantWords(input, words) : ''}`,
  });
}

/** Returns a schema of a text that is not empty. */
export function text() {
  return z.string({ error: issue => `${shownValue(issue.input)} is not text` }).min(1, { error: 'must not be empty' });
}

/**
 * Returns the value as parsed by the schema. Throws an error with the code `code`, and with the path and message of the
 * first mistake. `what`: name of the value in the message.
 */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
  code: ErrorCode = 'bad-definition',
): z.output<S> {
  return checked(schema, value, { what, code, advise: (path, given) => whatToWrite(schema, path, given) });
}

/**
 * Returns the output of a program as parsed by the schema. Throws as `check` does, but the message has no advice on
 * what to write.
 */
export function checkTold<S extends z.ZodType>(schema: S, value: unknown, what: string, code: ErrorCode): z.output<S> {
  return checked(schema, value, { what, code, advise: () => '' });
}

type Advise = (path: readonly PropertyKey[], given?: unknown) => string;

function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { what, code, advise }: { what: string; code: ErrorCode; advise: Advise },
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.map(shownKey).join('.');
  const message = messageOf(value, issue, advise);
  const between = message.startsWith(missing) ? ' ' : ': ';
  throw new CoexistError(code, `${what}${path === '' ? '' : `: ${path}`}${between}${message}`);
}

/** Shortens a key for a message, because a key from a file may be very long and have several lines. */
const shownKey = (key: PropertyKey) =>
  /^[\w./:@ +-]{1,80}$/.test(String(key)) ? String(key) : shownValue(String(key));

/** First words of the message about a value that is missing. */
const missing = 'is missing';

/** Words in messages for the names that zod gives to expected types. */
const shapes: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false',
};

/** Returns the message of a mistake, with advice if the value is missing or has the wrong type. */
function messageOf(value: unknown, issue: z.core.$ZodIssue, advise: Advise): string {
  if (issue.code === 'invalid_key' && issue.issues.length > 0) return `this name ${issue.issues[0]!.message}`;
  const given = issue.path.reduce<unknown>(
    (node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  if (given === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return `${missing}${advise(issue.path)}`;
  const shape = issue.code === 'invalid_type' ? shapes[issue.expected] : undefined;
  if (shape === undefined) return issue.message;
  const written = `${shownValue(given)} is not ${shape}`;
  return shape === shapes['boolean'] ? written : `${written}${advise(issue.path, given)}`;
}
