/** Trace of a definition: the path of a file, two paths, or an object that says how the trace is played. */
import { duration, integer, object, schemaFacts, text, type Written, z } from '../../core/schema/schema.ts';
import type { LinkTrace } from '../../core/vocabulary/link-trace.ts';

/** Length of what a generator makes, if the definition gives none, ms. */
const usualLengthMs = 60e3;
const mostLengthMs = 3600e3;

const file = z.union([text(), z.tuple([text(), text()])], {
  error: 'must be the path of a trace, or a list of two: opportunities and a table',
});

const played = object({
  file: file
    .optional()
    .describe('Path of a trace, or two paths: a file of opportunities and a table of delay and loss.')
    .register(schemaFacts, { accepts: 'text, or a list of two texts' }),
  make: text().optional().describe('Generator that makes the trace, in place of a file (`npm run traces -- --list`).'),
  seed: integer({ min: 0, max: 2 ** 31 })
    .optional()
    .describe('Seed of the generator. Without it: 1.'),
  length: duration({ min: 1000, max: mostLengthMs })
    .optional()
    .describe('Length of what the generator makes. Without it: 60 s.'),
  startAt: z
    .union([z.literal('seeded'), duration({ min: 0, max: 24 * 3600e3 })], {
      error: 'must be a duration, or "seeded"',
    })
    .default(0)
    .describe('Time of the trace at which the window starts. `seeded`: the seed of each repeat chooses it.')
    .register(schemaFacts, { accepts: 'duration, or `seeded`' }),
  times: z
    .number({ error: 'must be a number' })
    .min(0.001, { error: 'must be at least 0.001' })
    .max(100, { error: 'must be at most 100' })
    .default(1)
    .describe('Factor of every rate of the trace.'),
  loop: z
    .boolean({ error: 'must be true or false' })
    .default(true)
    .describe('Starts the trace again after its end. Otherwise its last values hold.'),
}).transform(({ file: path, make, seed, length, startAt, ...rest }, context): LinkTrace => {
  if ((path === undefined) === (make === undefined)) {
    context.addIssue({ code: 'custom', path: [], message: 'takes a file, or make with the name of a generator' });
    return z.NEVER;
  }
  if (make === undefined && (seed !== undefined || length !== undefined)) {
    context.addIssue({ code: 'custom', path: [], message: 'seed and length go with make, not with a file' });
    return z.NEVER;
  }
  return {
    files: path === undefined ? [] : [path].flat(),
    make: make === undefined ? null : { id: make, seed: seed ?? 1, lengthMs: length ?? usualLengthMs },
    startAtMs: startAt,
    ...rest,
  };
});

export type TraceDefinition = string | readonly [string, string] | Written<typeof played>;

const paths = z
  .tuple([text(), text()], { error: 'must be a list of two paths: opportunities and a table' })
  .transform((files): LinkTrace => ({ files, make: null, startAtMs: 0, times: 1, loop: true }));

/** Schema that accepts a path, a list of two paths, or an object. */
export const traceSchema = z.unknown().transform((value, context): LinkTrace => {
  const schema: z.ZodType<LinkTrace> =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? paths : played) : text();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
  return z.NEVER;
});
schemaFacts.add(traceSchema, { forms: [text(), played] });
