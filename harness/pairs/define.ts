/** What a pairwise study is: contestants, links, and how it is run. Text in, numbers with units out. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve as resolvePath } from 'node:path';
import { backendIds } from '../../core/backends.ts';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { fileKeysOf, withFilesBeside } from '../../core/files-beside.ts';
import { firstTwice } from '../../core/first-twice.ts';
import { unknownName } from '../../core/nearest.ts';
import { pick } from '../../core/plugins.ts';
import { prioritySetting } from '../../core/priority-setting.ts';
import { readNamedFile } from '../../core/regular-file.ts';
import { retriesSetting } from '../../core/retries.ts';
import { check, choice, duration, integer, object, ratio, text, z } from '../../core/schema.ts';
import type { ServiceKind } from '../../core/service-kinds.ts';
import { mostWindowMs } from '../../core/trial-length.ts';
import type { Choice, Chosen } from '../experiment/applications.ts';
import type { ServicePlugin } from '../services/service.ts';
import { stoppingRules } from './analysis/stopping-rule.ts';
import { type ContestantDefinition, contestants } from './contestants.ts';

export type Contestant = {
  /** Short name, fit for a folder. */
  name: string;
  title: string;
  models: string | null;
  /** As it was written. */
  choice: Choice;
  service: Chosen;
  kind: ServiceKind;
  /** What it takes at most by its own account, bit/s as the link counts; null: all there is. */
  nominalCapBps: number | null;
  /** Time after its start that must not be measured, ms. */
  warmUpMs: number;
  /** How long it can be used, ms; null: without end. Missing in plans of older versions. */
  longestMs?: number | null;
  /** Of the script that it runs, hexadecimal; not there: it runs none. */
  scriptSha256?: string;
};

export const runSchema = object({
  window: duration({ min: 1000, max: mostWindowMs })
    .default(60e3)
    .describe('Length of the measured window of each trial. The paper uses 6min.'),
  warmUp: duration({ min: 0, max: 3600e3 })
    .default(30e3)
    .describe(
      'Warm-up: time between the start of both services and the window. The paper uses 2min. ' +
        'A service may need more, for example to fill its buffer.',
    ),
  coolDown: duration({ min: 0, max: 3600e3 })
    .default(5e3)
    .describe('Time after the window in which both services still run. The paper uses 2min.'),
  stopping: choice(stoppingRules)
    .default('sequential')
    .describe(
      'Stopping rule: `sequential`, the rule of the paper (`prudentia`), or `fixed`, which runs `run.repeats` trials of each pair.',
    ),
  repeats: integer({ min: 1, max: 1000 })
    .default(30)
    .describe('Maximum number of trials of a pair; with `fixed`, the number of trials.'),
  soloRepeats: integer({ min: 1, max: 1000 })
    .default(7)
    .describe('Number of trials of each service alone, which measure its cap.'),
  retries: retriesSetting,
  parallel: integer({ min: 0, max: 64 })
    .default(0)
    .describe('Number of trials at the same time, two cores each. 0: as many as the cores allow.'),
  backend: choice(['auto', ...backendIds])
    .default('auto')
    .describe(
      'The program that shapes the links. See [link backends](studies.md#link-backends). ' +
        'With a service that goes to the Internet, `auto` is `tc`.',
    ),
  priority: prioritySetting,
  preflight: z.boolean().default(true).describe('Tests each link with probe packets before its first trial.'),
  queueLog: choice(['summary', 'full'])
    .default('summary')
    .describe(
      'What is kept of the log of every packet at the bottleneck: a summary for each service, or the log as well.',
    ),
  pcap: z.boolean().default(false).describe('Captures the headers of all packets that leave the bottleneck.'),
  externalLoss: ratio({ min: 0, max: 1 })
    .default(0.0005)
    .describe('Share of packets lost beyond the bottleneck above which a trial is void.'),
  privateNetworks: z
    .boolean()
    .default(false)
    .describe('Lets live URLs reach private networks (RFC 1918 and similar) and this machine.'),
  seed: integer({ min: 0, max: 2 ** 48 })
    .default(1)
    .describe('Seed of the order of trials.'),
}).transform(({ window, warmUp, coolDown, externalLoss, ...rest }) => ({
  windowMs: window,
  warmUpMs: warmUp,
  coolDownMs: coolDown,
  externalLossRatio: externalLoss,
  ...rest,
}));

export type PairsRun = z.output<typeof runSchema>;

/** What has to be written for the schema to make it. */
export function writtenRun({
  windowMs,
  warmUpMs,
  coolDownMs,
  externalLossRatio,
  ...rest
}: PairsRun): z.input<typeof runSchema> {
  return {
    window: `${windowMs}ms`,
    warmUp: `${warmUpMs}ms`,
    coolDown: `${coolDownMs}ms`,
    externalLoss: `${externalLossRatio * 100}%`,
    ...rest,
  };
}

const name = text().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, {
  error: 'must be small letters and digits, with single dashes or dots between',
});

const contestantSchema = object({
  name,
  title: text().optional(),
  models: text().optional(),
  service: z.looseObject({ id: text() }),
});

const keptSchema = z.looseObject({
  name,
  title: text(),
  models: text().nullable(),
  choice: z.looseObject({ id: text() }),
});

type Services = ReadonlyMap<string, ServicePlugin>;
/** `by`: who names the scripts, in words. */
type Trust = { by: string; isTrusted: boolean };

/**
 * Contestants by name, or by the path of a file that describes one (JSON), which may name a script to run only where
 * scripts are trusted. Throws an error that names what is wrong with the first bad one.
 */
export function resolveContestants(
  wanted: readonly string[],
  services: Services,
  { trustScripts = false } = {},
): Contestant[] {
  const resolved = wanted.map(word =>
    word.endsWith('.json') ? fromFile(word, services, trustScripts) : fromName(word, services),
  );
  const twin = firstTwice(resolved, ({ name }) => name);
  if (twin !== undefined)
    throw new CoexistError('usage', `the service "${twin.name}" is named twice`, {
      hint: 'name it once: it is also measured beside itself',
    });
  if (resolved.length === 0)
    throw new CoexistError('usage', 'no service is named', { hint: `known: ${Object.keys(contestants).join(', ')}` });
  return resolved;
}

/** A contestant of a plan that was kept, made anew from what was written of it. `path`: of the folder. */
export function contestantAgain(
  kept: unknown,
  services: Services,
  path: string,
  { trustScripts = false } = {},
): Contestant {
  const { name, title, models, choice } = check(
    keptSchema,
    kept,
    `the plan in ${path}: a contestant`,
    'bad-run-folder',
  );
  return resolve(name, { title, service: choice, ...(models === null ? {} : { models }) }, services, {
    by: `the plan in ${path}`,
    isTrusted: trustScripts,
  });
}

function fromName(name: string, services: Services): Contestant {
  const known = Object.keys(contestants);
  const definition = Object.hasOwn(contestants, name) ? contestants[name] : undefined;
  if (definition !== undefined) return resolve(name, definition, services, { by: name, isTrusted: true });
  throw unknownName('usage', `there is no service named "${name}"`, name, known, {
    more: '; or give the path of a description (.json)',
  });
}

function fromFile(path: string, services: Services, trustScripts: boolean): Contestant {
  let content: unknown;
  try {
    content = JSON.parse(readNamedFile(path));
  } catch (error) {
    throw new CoexistError('bad-definition', `${path} cannot be read: ${messageOf(error).split('\n')[0]}`, {
      hint: 'it must be JSON like { "name": "mine", "service": { "id": "iperf", "congestionControl": "cubic" } }',
      cause: error,
    });
  }
  const { name, service, title, models } = check(contestantSchema, content, path);
  const beside = withFilesBeside(service, dirname(resolvePath(path)), fileKeysOf(services), path);
  return resolve(
    name,
    { title: title ?? name, service: beside, ...(models === undefined ? {} : { models }) },
    services,
    { by: path, isTrusted: trustScripts },
  );
}

/** Of the script, which is not read before it is trusted. Throws `bad-definition`. */
function scriptSha256(script: string, { by, isTrusted }: Trust): string {
  if (!isTrusted) {
    throw new CoexistError(
      'bad-definition',
      `${by} has the script ${script} run, with all the rights of this command`,
      { hint: 'read the script, then run the command again with --trust-scripts' },
    );
  }
  try {
    return createHash('sha256').update(readFileSync(script)).digest('hex');
  } catch (error) {
    throw new CoexistError('bad-definition', `the script ${script} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function resolve(
  name: string,
  { title, service, models }: ContestantDefinition,
  services: Services,
  trust: Trust,
): Contestant {
  const { id, ...given } = service;
  const plugin = pick(services, id, 'service');
  const params = check(plugin.params, given, `service ${name}`);
  const script = plugin.runsModule?.(params as never) ?? null;
  return {
    name,
    title,
    models: models ?? null,
    choice: service,
    service: { id, title: plugin.title, params },
    kind: plugin.kind,
    nominalCapBps: plugin.capBps(params as never),
    warmUpMs: plugin.warmUpMs(params as never),
    longestMs: plugin.longestMs?.(params as never) ?? null,
    ...(script === null ? {} : { scriptSha256: scriptSha256(script, trust) }),
  };
}
