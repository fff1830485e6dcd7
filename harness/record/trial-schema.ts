/**
 * What trial.json has to be so that it can be read as a trial: a folder may come from anywhere. The parts that only the
 * report shows are not looked into.
 */
import { check, z } from '../../core/schema.ts';
import { experimentFormat } from '../experiment/plan.ts';
import { ofThisFormat } from './this-format.ts';
import type { TrialFile } from './trial-file.ts';
import { checkedTrialName } from './trial-name.ts';

const number = z.number();
const text = z.string();
const numbers = <K extends string>(...keys: K[]) =>
  z.looseObject(Object.fromEntries(keys.map(key => [key, number])) as Record<K, typeof number>);

const clock = numbers('offsetMs', 'uncertaintyMs');
const device = numbers('timeMs', 'bytes', 'packets');
const bottleneck = numbers('timeMs', 'sentBytes', 'sentPackets', 'droppedPackets', 'backlogPackets').extend({
  randomLoss: z.array(z.looseObject({ source: text, packets: number, bytes: number, lostPackets: number })),
});
const finding = z.looseObject({ kind: text, status: z.enum(['note', 'degraded', 'invalid']), message: text });
const flow = z.looseObject({ port: number, congestionControl: text, startMs: number });

/** One of the condition's: what was to be run. */
const application = z.looseObject({
  name: text,
  kind: text,
  service: z.looseObject({ id: text, title: text, params: z.looseObject({}) }),
  direction: z.enum(['down', 'up']),
  startMs: number.nullable(),
  stopMs: number.nullable(),
});

const condition = z
  .looseObject({
    id: text,
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

/** What became of one. */
const outcome = z.looseObject({
  name: text,
  addresses: z.looseObject({ server: text, client: text }),
  startMs: number.nullable(),
  readyMs: number.nullable(),
  readMs: number.nullable().optional(),
  stopMs: number.nullable(),
  endedMs: number.nullable().optional(),
  clocks: z.looseObject({ server: clock, page: clock }).nullable(),
  facts: z.looseObject({}).nullable(),
  transport: z.looseObject({ label: text, evidence: text, flows: z.array(flow) }).nullable(),
  received: z.looseObject({ before: device, after: device }).nullable(),
});

const trialFileSchema = z.looseObject({
  study: text,
  trial: z.looseObject({ number, id: text, condition: text, repeat: number, seed: number }),
  condition,
  attempt: number,
  verdict: z.looseObject({ status: z.enum(['valid', 'degraded', 'invalid']), findings: z.array(finding) }),
  phases: numbers('preparedMs', 'readyMs', 'windowStartMs', 'windowEndMs', 'endMs').nullable(),
  backend: text.nullable(),
  bottleneck: z.looseObject({ before: bottleneck, after: bottleneck }).nullable(),
  applications: z.array(outcome),
  cpuRatio: z.record(text, number).nullable(),
});

/** What trial.json holds, where it can be read as a trial. Throws `bad-run-folder`. `path`: of the file, for people. */
export function checkedTrialFile(content: unknown, path: string): TrialFile {
  const file = content as TrialFile | null;
  const checked = ofThisFormat(file, file?.format, experimentFormat, path);
  check(trialFileSchema, checked, path, 'bad-run-folder');
  // each has a folder of that name
  for (const { name } of [...checked.applications, ...checked.condition.applications]) checkedTrialName(name);
  return checked;
}
