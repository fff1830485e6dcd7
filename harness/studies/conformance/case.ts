/**
 * Definition of a case: a link over time, flows with their times, and what is expected of them. A case that cannot be
 * run has the reason in place of these.
 *
 *   export default defineCase({
 *     title: ..., source: 'RFC 8867, section 5.1', window: '100s',
 *     link: { rate: '1mbit', ... }, media: { 'media-1': {} }, expects: { utilisation: {} },
 *   });
 */
import {
  check,
  choice,
  duration,
  integer,
  object,
  rate,
  signedDuration,
  text,
  type Written,
  z,
} from '../../../core/schema/schema.ts';
import { mostWindowMs } from '../../../core/vocabulary/trial-length.ts';
import type { ApplicationDefinition } from '../../definition/applications.ts';
import type { LinkDefinition } from '../../definition/link.ts';
import { boundSchema } from '../../definition/threshold.ts';
import { timesShape } from '../../definition/times.ts';

const idForm = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/** Span of the window in which an expectation is judged. Without `from` and `to` it is the whole window. */
const expectation = object({
  from: duration({ min: 0, max: mostWindowMs }).optional().describe('Start of the judged span.'),
  to: duration({ moreThan: 0, max: mostWindowMs }).optional().describe('End of the judged span.'),
  atMost: boundSchema.optional().describe('Largest value that passes. Without bounds, those of the measure.'),
  atLeast: boundSchema.optional().describe('Smallest value that passes.'),
  says: text().optional().describe('What the source of the case says about it.'),
}).refine(({ from = 0, to = Infinity }) => from < to, { error: '"to" must be later than "from"', path: ['to'] });

const media = object({
  start: signedDuration({ min: -mostWindowMs, max: mostWindowMs })
    .default(0)
    .describe('When the flow starts, counted from the start of the window.'),
  stop: duration({ moreThan: 0, max: mostWindowMs }).optional().describe('When it stops. Without it, at the end.'),
  pauses: timesShape.pauses,
  weight: integer({ min: 1, max: 100 })
    .default(1)
    .describe('Priority: rates of flows on the same link should be in the ratio of their weights.'),
  direction: choice(['down', 'up']).default('down').describe('`up`: through `link.up`.'),
  link: z.looseObject({}).optional().describe('Settings of its own path.'),
});

const shared = {
  id: text().regex(idForm, { error: 'must be small letters and digits, with single dashes or dots between' }),
  title: text().describe('Name of the case for people.'),
  source: text().describe('Where the case comes from, with section.'),
  differs: text().optional().describe('How the case differs from its source.'),
};

const runCase = object({
  ...shared,
  window: duration({ min: 5000, max: mostWindowMs }).describe('Length of the measured window.'),
  link: z.looseObject({}).describe('The link, as in a study.'),
  media: z
    .record(text(), media)
    .refine(flows => Object.keys(flows).length > 0, { error: 'a case has at least one media flow' })
    .describe('Media flows, by name. The sender under test sends each of them.'),
  beside: z
    .record(text(), z.looseObject({}))
    .default({})
    .describe('Other traffic, as in the `applications` of a study.'),
  frames: object({
    width: integer({ min: 160, max: 1920 }).default(640),
    height: integer({ min: 90, max: 1080 }).default(360),
    rate: integer({ min: 5, max: 60 }).default(30),
  })
    .prefault({})
    .describe('Size and rate of the pictures. Small ones, where several flows share two cores.'),
  bitrate: object({
    min: rate({ min: 30e3 }).default(150e3),
    start: rate({ min: 30e3 }).default(150e3),
    max: rate({ min: 100e3 }).default(1.5e6),
  })
    .prefault({})
    .describe('Range of the media rate; by default that of RFC 8867, section 4.3.'),
  marks: z.boolean().default(false).describe('The queue marks packets, and senders that react to marks declare ECN.'),
  withoutEcn: text()
    .optional()
    .describe('With `marks`: what a sender without ECN meets. Without it, such a sender does not run the case.'),
  expects: z.record(text(), expectation).describe('What is expected, by the id of a measure.'),
});

const leftOutCase = object({ ...shared, notRun: text().describe('Why the case cannot be run.') });

/** Case that can be run, checked. */
export type RunCase = z.output<typeof runCase>;
/** Case that cannot be run, with the reason. */
type LeftOutCase = z.output<typeof leftOutCase>;
export type Case = RunCase | LeftOutCase;

export const isRun = (one: Case): one is RunCase => 'window' in one;

type LeftOutDefinition = Omit<Written<typeof leftOutCase>, 'id'>;
type RunDefinition = Omit<Written<typeof runCase>, 'id' | 'link' | 'beside'> & {
  link: LinkDefinition;
  beside?: Record<string, ApplicationDefinition>;
};

/** Content of a case's file, without the id, which is the name of the file. */
export type CaseDefinition = LeftOutDefinition | RunDefinition;

/** Returns the case as checked. `where`: start of the error message. Throws `bad-definition` with the first mistake. */
export const checkCase = (written: object, where: string): Case =>
  check<typeof leftOutCase | typeof runCase>('notRun' in written ? leftOutCase : runCase, written, where);

/** Returns the definition. A case that differs little from another one is written as `{ ...other, title: ... }`. */
export function defineCase(definition: LeftOutDefinition): LeftOutDefinition;
export function defineCase(definition: RunDefinition): RunDefinition;
export function defineCase(definition: CaseDefinition): CaseDefinition {
  return definition;
}

/**
 * Content of a file with several cases, which differ by a few values. The id of each is the name of the file, a dash and
 * the key.
 */
export type CaseTable = { readonly cases: Readonly<Record<string, CaseDefinition>> };

export const defineCases = (cases: CaseTable['cases']): CaseTable => ({ cases });
