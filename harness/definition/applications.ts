/**
 * Applications of a trial: the users of the link. An application is one service in use, between a server on one side of
 * the bottleneck and a client on the other side, for the whole trial or a part of it.
 *
 * A definition names its applications (`applications`), or has the short form: `service` and `flood` are then two
 * applications with these names.
 */
import { CoexistError } from '../../core/errors.ts';
import { firstTwice } from '../../core/first-twice.ts';
import { type Plugin, pick } from '../../core/plugins.ts';
import {
  check,
  choice,
  duration,
  integer,
  object,
  schemaFacts,
  text,
  type Written,
  z,
} from '../../core/schema/schema.ts';
import type { DurationText } from '../../core/text/units.ts';
import { isPlaceName } from '../../core/vocabulary/hops.ts';
import { allOthers } from '../../core/vocabulary/subject.ts';
import { type CheckedOwnPath, ownPathSchema, type PathDefinition } from './link.ts';
import { isTree } from './set.ts';
import { type Pause, refuseTimes, timesShape } from './times.ts';

/** Id of the chosen plug-in, with the parameters of the plug-in as further keys. */
export type Choice = { id: string; [parameter: string]: unknown };

export type Chosen = { id: string; title: string; params: unknown };

export type Application = {
  /** Name of the application. It is also the name of its folder. */
  name: string;
  /** Title of the application for people. Missing if the name is the title. */
  title?: string;
  service: Chosen;
  /** Kind of the application's service (harness/services/service.ts): "video-call", "transfer", "baseline" ... */
  kind: string;
  direction: 'down' | 'up';
  /** Start of the application, ms after the start of the window. Null: before the window, early enough to settle. */
  startMs: number | null;
  /** End of the application, ms after the start of the window. Null: after the window. */
  stopMs: number | null;
  /** Times in which the application sends no media. Missing if it never pauses. */
  pauses?: readonly Pause[];
  /**
   * Head start of the application, ms: it runs for this time before the applications without a head start are started.
   * Null: no head start.
   */
  headStartMs: number | null;
  /** Tunnel for the packets of the application. Missing if the application uses no tunnel. */
  tunnel?: Chosen;
  /** DSCP that is set in the application's packets. Missing if its programs choose. */
  dscp?: number;
  /** Number of clients of the application, each on a separate host. Missing if there is one client. */
  clients?: number;
  /** Frames per second that the service captures. Missing if it captures no video. */
  frameRate?: number;
};

/** Application with the settings of its own path. Undefined if it has none. */
type PlacedApplication = Application & { path: CheckedOwnPath | undefined };

/** Parts of a definition or of a condition that describe applications. */
type WrittenApplications = {
  service?: Choice | null;
  flood?: Choice | null;
  tunnel?: Choice;
  applications?: Record<string, ApplicationDefinition | null>;
  link?: { server?: PathDefinition; flooder?: PathDefinition };
};

/** Names of the two applications in the short form of a definition. */
export const shortNames = { service: 'service', flood: 'flood' } as const;
/** Id that a definition writes for no flood or no tunnel. */
const none = 'none';

export const mostApplications = 64;

export const applicationSchema = object({
  service: z
    .looseObject({ id: text() })
    .register(schemaFacts, { accepts: 'object: `id` of a [service](#services) and its parameters' })
    .describe('The service, with its parameters.'),
  direction: choice(['down', 'up'])
    .default('down')
    .describe('Side that its server sends to: `down` through the bottleneck `link`, `up` through `link.up`.'),
  ...timesShape,
  headStart: duration({ min: 0, max: 600e3 })
    .optional()
    .describe('How long it runs before the applications start that have neither `start` nor `headStart`.'),
  count: integer({ min: 1, max: mostApplications })
    .default(1)
    .describe('Number of identical applications: NAME-1, NAME-2 and so on.'),
  link: ownPathSchema.optional().describe('Settings of its own path; the rest is as in `link`.'),
  tunnel: z
    .looseObject({ id: text() })
    .register(schemaFacts, { accepts: "object: `id` of a [tunnel](#tunnels) and its parameters, or `{ id: 'none' }`" })
    .optional()
    .describe('What its UDP packets travel in on the link. Without it, nothing.'),
  dscp: integer({ min: 0, max: 63 })
    .optional()
    .describe(
      'DSCP of its packets in both directions, 46 for EF. A BPF classifier at its hosts sets it; the link keeps it. ' +
        'Without it, the programs choose, mostly 0.',
    ),
});

/** Application as written. A part of `service` or `tunnel` is left out where a condition changes only the rest. */
export type ApplicationDefinition = Omit<Partial<Written<typeof applicationSchema>>, 'service' | 'tunnel'> & {
  service?: { [parameter: string]: unknown };
  tunnel?: { [parameter: string]: unknown };
};

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** True if the definition chooses the id "none". `written` may be any value, because the schema checks it later. */
const isNone = (written: unknown) => (written as Choice | null | undefined)?.id === none;

/** True if a condition leaves the application out: by null, in the short form as well as in `applications`. */
const isLeftOut = (written: unknown) => written === undefined || written === null;

/**
 * Throws if a condition writes `applications` although its study has the short form. The general check would name the
 * study as wrong, and the user would rewrite a study that is right.
 */
export function refuseMixed(study: WrittenApplications, change: WrittenApplications): void {
  const { applications } = change;
  if (study.applications !== undefined || applications === undefined) return;
  const entries: [string, unknown][] = isTree(applications) ? Object.entries(applications) : [];
  const short: string[] = Object.values(shortNames);
  const isShort = entries.length > 0 && entries.every(([name]) => short.includes(name));
  throw new CoexistError(
    'bad-definition',
    '"applications" cannot be combined with "service" and "flood" of the study',
    {
      hint: isShort
        ? `write in the condition: ${entries.map(([name, value]) => `"${name}": ${value === null ? 'null' : '{ ... }'}`).join(', ')}`
        : 'for other applications than those two, write the study with "applications" too: ' +
          '{ service: { service: ... }, flood: { service: ... } }',
    },
  );
}

/** Returns the applications as the key `applications` describes them, also for a definition in the short form. */
function longForm(
  { service, flood, tunnel, applications, link }: WrittenApplications,
  headStart: DurationText,
): [string, unknown][] {
  if (applications !== undefined) {
    const short = Object.entries({ service, flood, tunnel }).find(([, value]) => value !== undefined);
    if (short !== undefined)
      throw new CoexistError('bad-definition', `"${short[0]}" cannot be combined with "applications"`, {
        hint:
          'write it as an application: applications: ' +
          `{ ${short[0] === 'tunnel' ? 'NAME: { service: ..., tunnel: ... }' : `${short[0]}: ${short[1] === null ? 'null' : '{ service: ... }'}`} }`,
      });
    const place = (['server', 'flooder'] as const).find(key => link?.[key] !== undefined);
    if (place !== undefined)
      throw new CoexistError('bad-definition', `"link.${place}" cannot be combined with "applications"`, {
        hint: 'write it as the path of an application: applications: { NAME: { service: ..., link: ... } }',
      });
    return Object.entries(applications).filter(([, application]) => application !== null);
  }
  return [
    ...(isLeftOut(service)
      ? []
      : [
          [
            shortNames.service,
            {
              service,
              ...(link?.server === undefined ? {} : { link: link.server }),
              ...(tunnel === undefined ? {} : { tunnel }),
            },
          ] as [string, unknown],
        ]),
    ...(isLeftOut(flood) || isNone(flood)
      ? []
      : [
          [
            shortNames.flood,
            { service: flood, headStart, ...(link?.flooder === undefined ? {} : { link: link.flooder }) },
          ] as [string, unknown],
        ]),
  ];
}

/**
 * Returns the chosen plug-in's id and its parameters as checked by the plug-in's schema. `what`: name of the choice in
 * error messages.
 */
export function choose(registry: ReadonlyMap<string, Plugin>, choice: unknown, kind: string, what = kind): Chosen {
  const { id, ...params } = check(z.looseObject({ id: z.string() }), choice, what);
  const plugin = pick(registry, id, kind);
  return { id, title: plugin.title, params: check(plugin.params, params, what) };
}

function chooseTunnel(written: unknown, tunnels: ReadonlyMap<string, Plugin>, what: string): Chosen | undefined {
  return written === undefined || isNone(written) ? undefined : choose(tunnels, written, 'tunnel', what);
}

/** Service plug-in with the members that this file uses. */
type ChosenPlugin = Plugin & {
  kind: string;
  overUdp?: boolean;
  canPause?: boolean;
  bound(params: unknown): BoundFacts;
};

/** Facts of a service and its parameters that an application keeps. */
type BoundFacts = { clients: number; frameRate: number | null };

/** Registries from which a definition chooses the plug-ins of applications. */
export type ApplicationRegistries = {
  services: ReadonlyMap<string, ChosenPlugin>;
  tunnels: ReadonlyMap<string, Plugin>;
};

/**
 * Returns all applications of a definition; with `count`, each of the identical applications is an entry. `windowMs`:
 * length of the measured window. Throws an error that names the path of the mistake and the remedy.
 */
export function resolveApplications(
  written: WrittenApplications,
  { services, tunnels }: ApplicationRegistries,
  { windowMs, headStart }: { windowMs: number; headStart: DurationText },
): PlacedApplication[] {
  const isShort = written.applications === undefined;
  const all = longForm(written, headStart).flatMap(([name, definition]) => {
    const path = `applications.${name}`;
    if (!nameForm.test(name))
      throw new CoexistError(
        'bad-definition',
        `${path}: the name of an application has small letters, digits and single dashes`,
      );
    if (name === allOthers)
      throw new CoexistError(
        'bad-definition',
        `${path}: "${allOthers}" stands for all applications but the subject; choose another name`,
      );
    if (isPlaceName(name))
      throw new CoexistError('bad-definition', `${path}: "${name}" stands for a bottleneck; choose another name`);
    const {
      service,
      start,
      stop,
      pauses: writtenPauses,
      headStart: leadMs,
      count,
      direction,
      link,
      tunnel,
      dscp,
    } = check(applicationSchema, definition, isShort ? name : path);
    refuseMisplaced(service, services.get(service.id), name, isShort);
    const chosen = choose(services, service, 'service', isShort ? name : `${path}.service`);
    const pauses = writtenPauses.map(({ from, to }): Pause => ({ fromMs: from, toMs: to }));
    refuseTimes(path, { startMs: start ?? null, stopMs: stop ?? null, pauses }, windowMs, {
      id: chosen.id,
      pausing: [...services.values()].filter(({ canPause }) => canPause === true).map(({ id }) => id),
    });
    const carried = chooseTunnel(tunnel, tunnels, isShort ? 'tunnel' : `${path}.tunnel`);
    const plugin = services.get(chosen.id)!;
    if (carried !== undefined && plugin.overUdp !== true)
      throw new CoexistError(
        'bad-definition',
        `${isShort ? 'tunnel' : `${path}.tunnel`}: the service ${chosen.id} is not one that a tunnel can carry`,
        {
          hint: `a tunnel carries UDP to one port: ${[...services.values()]
            .filter(({ overUdp }) => overUdp === true)
            .map(({ id }) => id)
            .join(', ')}`,
        },
      );
    const { clients, frameRate } = plugin.bound(chosen.params);
    if (carried !== undefined && clients > 1)
      throw new CoexistError(
        'bad-definition',
        `${isShort ? 'tunnel' : `${path}.tunnel`}: a tunnel leads to one client, and the service has ${clients}`,
        { hint: 'leave the tunnel out, or give the service one client' },
      );
    const names = count === 1 ? [name] : Array.from({ length: count }, (_, k) => `${name}-${k + 1}`);
    return names.map(
      (own): PlacedApplication => ({
        name: own,
        service: chosen,
        kind: plugin.kind,
        direction,
        startMs: start ?? null,
        stopMs: stop ?? null,
        headStartMs: leadMs ?? null,
        ...(pauses.length === 0 ? {} : { pauses }),
        ...(carried === undefined ? {} : { tunnel: carried }),
        ...(dscp === undefined ? {} : { dscp }),
        ...(clients === 1 ? {} : { clients }),
        ...(frameRate === null ? {} : { frameRate }),
        path: link,
      }),
    );
  });
  if (all.length === 0)
    throw new CoexistError('bad-definition', 'there is no application', {
      hint: 'give a service, or name applications',
    });
  if (all.length > mostApplications)
    throw new CoexistError(
      'bad-definition',
      `${all.length} applications are more than a trial takes (${mostApplications})`,
    );
  const pairs = all.reduce((sum, { clients = 1 }) => sum + clients, 0);
  if (pairs > mostApplications)
    throw new CoexistError(
      'bad-definition',
      `the applications have ${pairs} clients, more than a trial takes (${mostApplications})`,
    );
  const twin = firstTwice(all, ({ name }) => name);
  if (twin !== undefined)
    throw new CoexistError('bad-definition', `applications: two are called "${twin.name}"`, {
      hint: 'alike ones are numbered: NAME-1, NAME-2',
    });
  return all;
}

/** Throws if a key that belongs to the application, such as `start`, is written among the parameters of its service. */
function refuseMisplaced(service: Choice, plugin: Plugin | undefined, name: string, isShort: boolean): void {
  const own = plugin?.params instanceof z.ZodObject ? plugin.params.shape : undefined;
  const key = Object.keys(service).find(
    word => word !== 'service' && Object.hasOwn(applicationSchema.shape, word) && own !== undefined && !(word in own),
  );
  if (key === undefined) return;
  const entry = `${name}: { service: { id: '${service.id}' }, ${key}: ${JSON.stringify(service[key])} }`;
  throw new CoexistError(
    'bad-definition',
    isShort
      ? `${name}: "${key}" is no parameter of a service; it belongs to an entry of "applications"`
      : `applications.${name}.service: "${key}" is no parameter of a service; it stands beside "service"`,
    { hint: `write it as ${isShort ? `applications: { ${entry} }` : entry}` },
  );
}
