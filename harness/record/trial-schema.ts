/** Checks trial.json, whose run folder may come from anywhere. Parts that only the report shows are not checked. */
import { CoexistError } from '../../core/errors.ts';
import { check, z } from '../../core/schema/schema.ts';
import { shownValue } from '../../core/text/shown-value.ts';
import { formatDuration } from '../../core/text/units.ts';
import { mostWindowMs } from '../../core/vocabulary/trial-length.ts';
import { experimentFormat } from '../definition/plan.ts';
import { ofThisFormat } from './this-format.ts';
import type { ApplicationFile, TrialFile } from './trial-file.ts';
import { checkedTrialName } from './trial-name.ts';

const number = z.number();
/** Schema of a time, Unix ms, up to the largest date of JavaScript. */
export const recordedTime = number.min(0).max(8.64e15);
/** Longest time between the window and any other time of a trial, ms. All deadlines of the harness are shorter. */
const mostBesideMs = 12 * 3600e3;
const text = z.string();
const numbers = <K extends string>(...keys: K[]) =>
  z.looseObject(Object.fromEntries(keys.map(key => [key, number])) as Record<K, typeof number>);

const clock = numbers('offsetMs', 'uncertaintyMs');
const device = numbers('timeMs', 'bytes', 'packets').extend({ timeMs: recordedTime });
const bottleneck = numbers('timeMs', 'sentBytes', 'sentPackets', 'droppedPackets', 'backlogPackets').extend({
  timeMs: recordedTime,
  randomLoss: z.array(z.looseObject({ source: text, packets: number, bytes: number, lostPackets: number })),
});
const finding = z.looseObject({ kind: text, status: z.enum(['note', 'degraded', 'invalid']), message: text });
const flow = z.looseObject({ port: number, congestionControl: text, startMs: recordedTime });

/** Schema of an application in the condition, as planned. */
const application = z.looseObject({
  name: text,
  kind: text,
  service: z.looseObject({ id: text, title: text, params: z.looseObject({}) }),
  direction: z.enum(['down', 'up']),
  startMs: number.nullable(),
  stopMs: number.nullable(),
  frameRate: number.positive().optional(),
});

/** Schema of a condition in a plan and in a trial. */
export const conditionSchema = z
  .looseObject({
    id: text,
    name: text.optional(),
    title: text,
    baseline: text,
    subject: text,
    link: z.looseObject({
      rateBps: number,
      paths: z.record(text, z.looseObject({})),
      loss: z.looseObject({}).nullable(),
    }),
    applications: z.array(application),
  })
  .refine(({ applications, subject }) => applications.some(({ name }) => name === subject), {
    error: 'its subject is none of its applications',
  });

/** Schema of the data of an application, as it ran in the trial. */
const outcome = z.looseObject({
  name: text,
  addresses: z.looseObject({ server: text, client: text, furtherClients: z.array(text).optional() }),
  startMs: recordedTime.nullable(),
  readyMs: recordedTime.nullable(),
  readMs: recordedTime.nullable().optional(),
  stopMs: recordedTime.nullable(),
  endedMs: recordedTime.nullable().optional(),
  clocks: z.looseObject({ server: clock, page: clock }).nullable(),
  facts: z.looseObject({}).nullable(),
  transport: z.looseObject({ label: text, evidence: text, flows: z.array(flow) }).nullable(),
  received: z.looseObject({ before: device, after: device }).nullable(),
});

const phases = z
  .looseObject({
    preparedMs: recordedTime,
    readyMs: recordedTime,
    windowStartMs: recordedTime,
    windowEndMs: recordedTime,
    endMs: recordedTime,
  })
  .superRefine(({ preparedMs, readyMs, windowStartMs, windowEndMs, endMs }, context) => {
    const times = [preparedMs, readyMs, windowStartMs, windowEndMs, endMs];
    if (times.some((timeMs, i) => timeMs < (times[i - 1] ?? 0))) context.addIssue('its times are not in their order');
    // 1 ms of tolerance, because times have fractions
    else if (windowEndMs - windowStartMs > mostWindowMs + 1)
      context.addIssue(`a window is ${formatDuration(mostWindowMs)} at most`);
    else if (windowStartMs - preparedMs > mostBesideMs || endMs - windowEndMs > mostBesideMs)
      context.addIssue(`it has a time that is more than ${formatDuration(mostBesideMs)} from its window`);
  });

export const trialSchema = z.looseObject({ number, id: text, condition: text, repeat: number, seed: number });

const trialFileSchema = z.looseObject({
  study: text,
  trial: trialSchema,
  condition: conditionSchema,
  attempt: number,
  verdict: z.looseObject({ status: z.enum(['valid', 'degraded', 'invalid']), findings: z.array(finding) }),
  phases: phases.nullable(),
  backend: text.nullable(),
  bottleneck: z.looseObject({ before: bottleneck, after: bottleneck }).nullable(),
  applications: z.array(outcome),
  cpuRatio: z.record(text, number).nullable(),
});

const timesOfOutcome = ['startMs', 'readyMs', 'readMs', 'stopMs', 'endedMs'] as const;

/**
 * Throws `bad-run-folder` if a time of an application is far from the window. Series are cut into bins at these times,
 * and a distant time would give an endless number of bins.
 */
function requireNear({ phases }: TrialFile, outcome: ApplicationFile, path: string): void {
  if (phases === null) return;
  const { windowStartMs, windowEndMs } = phases;
  for (const name of timesOfOutcome) {
    const timeMs = outcome[name] ?? windowStartMs;
    if (timeMs >= windowStartMs - mostBesideMs && timeMs <= windowEndMs + mostBesideMs) continue;
    throw new CoexistError(
      'bad-run-folder',
      `${path}: ${name} of ${shownValue(outcome.name)} is more than ${formatDuration(mostBesideMs)} from the window`,
      { hint: "the file was changed; remove the trial's folder and run it again with --resume" },
    );
  }
}

/**
 * Fills in the frame rates of the applications of a condition. Older versions wrote them among the parameters of the
 * services only.
 */
export function fillFrameRates({ applications }: Pick<TrialFile['condition'], 'applications'>): void {
  for (const one of applications) {
    const { frameRate } = one.service.params as { frameRate?: unknown };
    if (one.frameRate === undefined && typeof frameRate === 'number' && frameRate > 0) one.frameRate = frameRate;
  }
}

/**
 * Returns the content of trial.json. Throws `bad-run-folder` if it is not a trial in the format of this version.
 * `path`: path of the file, for the message.
 */
export function checkedTrialFile(content: unknown, path: string): TrialFile {
  const file = content as TrialFile | null;
  const checked = ofThisFormat(file, file?.format, experimentFormat, path);
  check(trialFileSchema, checked, path, 'bad-run-folder');
  fillFrameRates(checked.condition);
  for (const outcome of checked.applications) requireNear(checked, outcome, path);
  // each application has a folder with its name
  for (const { name } of [...checked.applications, ...checked.condition.applications]) checkedTrialName(name);
  return checked;
}
