/**
 * Contestants of a pairwise study. The definition lists each one by name, by the path of a description, or by a
 * description.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve as resolvePath } from 'node:path';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { firstTwice } from '../../../core/first-twice.ts';
import { pick } from '../../../core/plugins.ts';
import { fileKeysOf, withFilesBeside } from '../../../core/schema/files-beside.ts';
import { check, text, z } from '../../../core/schema/schema.ts';
import { readNamedFile } from '../../../core/system/regular-file.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import type { ServiceKind } from '../../../core/vocabulary/service-kinds.ts';
import type { Choice, Chosen } from '../../definition/applications.ts';
import type { Service } from '../../services/bound-service.ts';
import { type ContestantDefinition, contestants } from './contestants.ts';
import { contestantName, contestantSchema } from './define.ts';

export type Contestant = {
  /** Short name, valid as a folder name. */
  name: string;
  title: string;
  models: string | null;
  /** The service and its parameters as written in the definition or description. */
  choice: Choice;
  service: Chosen;
  kind: ServiceKind;
  /** Largest rate on the link that the service can use, as the service states it, bit/s. Null if it has no cap. */
  nominalCapBps: number | null;
  /** Milliseconds after the start of the service that must not be measured. */
  warmUpMs: number;
  /** Frames per second that the service captures. Missing if it captures no video. */
  frameRate?: number;
  /** Longest time that the service can be used, ms. Null if there is no limit. Missing in plans of older versions. */
  longestMs?: number | null;
  /** SHA-256 of the script that the service runs, hexadecimal. Undefined if it runs no script. */
  scriptSha256?: string;
};

type Described = z.output<typeof contestantSchema>;

const keptSchema = z.looseObject({
  name: contestantName,
  title: text(),
  models: text().nullable(),
  choice: z.looseObject({ id: text() }),
});

type Services = ReadonlyMap<string, Service>;
/** Trust in scripts. `by`: name of the definition or file that names the scripts, for error messages. */
type Trust = { by: string; isTrusted: boolean };

/**
 * Resolves contestants. Each is a name, the path of a description (JSON), or a description in the definition called
 * `by`. A description may name a script only if scripts are trusted. Throws an error that names the first bad
 * contestant.
 */
export function resolveContestants(
  wanted: readonly (string | Described)[],
  services: Services,
  { trustScripts = false, by = 'the definition' } = {},
): Contestant[] {
  const resolved = wanted.map(one => {
    if (typeof one !== 'string') return described(one, services, { by, isTrusted: trustScripts });
    return one.endsWith('.json') ? fromFile(one, services, trustScripts) : fromName(one, services);
  });
  const twin = firstTwice(resolved, ({ name }) => name);
  if (twin !== undefined)
    throw new CoexistError('usage', `the service "${twin.name}" is named twice`, {
      hint: 'name it once: it is also measured beside itself',
    });
  if (resolved.length === 0)
    throw new CoexistError('usage', 'no service is named', { hint: `known: ${Object.keys(contestants).join(', ')}` });
  return resolved;
}

/** Resolves a contestant in the plan of a run folder again from its written form. `path`: folder of the plan. */
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
  const { service, ...rest } = check(contestantSchema, content, path);
  const beside = withFilesBeside(service, dirname(resolvePath(path)), fileKeysOf(services), path);
  return described({ ...rest, service: beside }, services, { by: path, isTrusted: trustScripts });
}

const described = ({ name, title, models, service }: Described, services: Services, trust: Trust) =>
  resolve(name, { title: title ?? name, service, ...(models === undefined ? {} : { models }) }, services, trust);

/**
 * Returns the SHA-256 of a script. Throws `bad-definition` if scripts are not trusted, without reading the script, or
 * if the script cannot be read.
 */
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
  const bound = plugin.bound(params);
  if (bound.clients > 1)
    throw new CoexistError(
      'bad-definition',
      `service ${name}: it has ${bound.clients} clients, and a pairwise test gives each service one`,
      { hint: 'several clients are for applications of an experiment' },
    );
  const script = bound.runsModule;
  return {
    name,
    title,
    models: models ?? null,
    choice: service,
    service: { id, title: plugin.title, params },
    kind: plugin.kind,
    nominalCapBps: bound.capBps,
    warmUpMs: bound.warmUpMs,
    longestMs: bound.longestMs,
    ...(bound.frameRate === null ? {} : { frameRate: bound.frameRate }),
    ...(script === null ? {} : { scriptSha256: scriptSha256(script, trust) }),
  };
}
