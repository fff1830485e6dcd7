/**
 * The applications of a trial: who uses the link. An application is one service in use, between a server on one side of
 * the bottleneck and a client on the other, for the whole trial or a part of it.
 *
 * A definition names them (`applications`), or has the short form: `service` and `flood` are two applications of those
 * names.
 */
import { CoexistError } from '../../core/errors.ts';
import { pick } from '../../core/plugins.ts';
import type { Plugin } from '../../core/plugins.ts';
import { check, choice, duration, integer, object, schemaFacts, signedDuration, text, z } from '../../core/schema.ts';
import type { DurationText } from '../../core/units.ts';
import { waySchema } from './link.ts';
import type { WayDefinition } from './link.ts';

/** A plug-in chosen by its id, with its own parameters beside it. */
export type Choice = { id: string; [parameter: string]: unknown };

export type ApplicationDefinition = {
  /** What is used, with its parameters. */
  service?: { [parameter: string]: unknown };
  /**
   * Towards which side its server sends: "down" to the clients, through the bottleneck `link`; "up" the other way,
   * through `link.up`.
   */
  direction?: 'down' | 'up';
  /**
   * When it begins, from the start of the measured window; "-5s" is before it. Not there: early enough to have settled
   * when the window begins.
   */
  start?: DurationText | `-${DurationText}`;
  /** When it ends, from the start of the measured window. Not there: after the window. */
  stop?: DurationText;
  /** How much earlier than the others it begins, where it has no `start`. */
  headStart?: DurationText;
  /** So many alike: NAME-1, NAME-2 ... */
  count?: number;
  /** What is different on its own path. */
  link?: WayDefinition;
};

export type Chosen = { id: string; title: string; params: unknown };

export type Application = {
  /** Fit for a folder. */
  name: string;
  /** What people call it, where it has a name of their own. */
  title?: string;
  service: Chosen;
  /** What sort of service it is (harness/services/service.ts): "video-call", "transfer", "baseline" ... */
  kind: string;
  direction: 'down' | 'up';
  /** From the start of the window, ms; null: before it, as early as it needs to settle. */
  startMs: number | null;
  /** From the start of the window, ms; null: after it. */
  stopMs: number | null;
  /** Those that have one begin before the others, which wait until they run and for so long, ms. */
  headStartMs: number | null;
};

/** An application with what its path has of its own, as it was written. */
export type WrittenApplication = Application & { way: WayDefinition | undefined };

/** What a definition or a condition writes of it. */
export type WrittenApplications = {
  service?: Choice;
  flood?: Choice;
  applications?: Record<string, ApplicationDefinition | null>;
  link?: { server?: WayDefinition; flooder?: WayDefinition };
};

/** Names of the two in the short form. */
export const shortNames = { service: 'service', flood: 'flood' } as const;
/** What `flood` is where there is none. */
export const noFlood = 'none';

const mostApplications = 64;
const longestMs = 3600e3;

export const applicationSchema = object({
  service: z
    .looseObject({ id: text() })
    .register(schemaFacts, { accepts: 'object: `id` of a [service](#services) and its parameters' })
    .describe('The service, with its parameters.'),
  direction: choice(['down', 'up'])
    .default('down')
    .describe('Side that its server sends to: `down` through the bottleneck `link`, `up` through `link.up`.'),
  start: signedDuration({ min: -longestMs, max: longestMs })
    .optional()
    .describe(
      'When it starts, counted from the start of the measured window; `-5s` is before it. Without it, early enough to have settled when the window begins.',
    ),
  stop: duration({ moreThan: 0, max: longestMs })
    .optional()
    .describe('When it stops, counted from the start of the measured window. Without it, after the window.'),
  headStart: duration({ min: 0, max: 600e3 })
    .optional()
    .describe('How long it runs before the applications start that have neither `start` nor `headStart`.'),
  count: integer({ min: 1, max: mostApplications })
    .default(1)
    .describe('Number of identical applications: NAME-1, NAME-2 and so on.'),
  link: waySchema.optional().describe('Settings of its own path; the rest is as in `link`.'),
});

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Both forms as the long one. */
function longForm(
  { service, flood, applications, link }: WrittenApplications,
  headStart: DurationText,
): [string, unknown][] {
  if (applications !== undefined) {
    const short = service !== undefined ? 'service' : flood !== undefined ? 'flood' : undefined;
    if (short !== undefined)
      throw new CoexistError('bad-definition', `"${short}" stands beside "applications"`, {
        hint: `write it as an application: applications: { ${short}: { service: ... } }`,
      });
    return Object.entries(applications).filter(([, application]) => application !== null);
  }
  return [
    ...(service === undefined
      ? []
      : [
          [shortNames.service, { service, ...(link?.server === undefined ? {} : { link: link.server }) }] as [
            string,
            unknown,
          ],
        ]),
    ...(flood === undefined || flood.id === noFlood
      ? []
      : [
          [
            shortNames.flood,
            { service: flood, headStart, ...(link?.flooder === undefined ? {} : { link: link.flooder }) },
          ] as [string, unknown],
        ]),
  ];
}

/** `what`: how the service is called in errors. */
export function choose(registry: ReadonlyMap<string, Plugin>, choice: unknown, kind: string, what = kind): Chosen {
  const { id, ...params } = check(z.looseObject({ id: z.string() }), choice, what);
  const plugin = pick(registry, id, kind);
  return { id, title: plugin.title, params: check(plugin.params, params, what) };
}

/**
 * Every application, alike ones each by itself. `windowMs`: the measured window. Throws an error that names the path
 * and the mend.
 */
export function resolveApplications(
  written: WrittenApplications,
  services: ReadonlyMap<string, Plugin & { kind: string }>,
  { windowMs, headStart }: { windowMs: number; headStart: DurationText },
): WrittenApplication[] {
  const isShort = written.applications === undefined;
  const all = longForm(written, headStart).flatMap(([name, definition]) => {
    const path = `applications.${name}`;
    if (!nameForm.test(name))
      throw new CoexistError(
        'bad-definition',
        `${path}: the name of an application has small letters, digits and single dashes`,
      );
    const {
      service,
      start,
      stop,
      headStart: leadMs,
      count,
      direction,
    } = check(applicationSchema, definition, isShort ? name : path);
    const chosen = choose(services, service, 'service', isShort ? name : `${path}.service`);
    refuseTimes(path, { startMs: start ?? null, stopMs: stop ?? null, windowMs });
    const { link } = definition as ApplicationDefinition;
    const names = count === 1 ? [name] : Array.from({ length: count }, (_, k) => `${name}-${k + 1}`);
    return names.map(
      (own): WrittenApplication => ({
        name: own,
        service: chosen,
        kind: services.get(chosen.id)!.kind,
        direction,
        startMs: start ?? null,
        stopMs: stop ?? null,
        headStartMs: leadMs ?? null,
        way: link,
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
  const twin = all.find(({ name }, k) => all.findIndex(other => other.name === name) !== k);
  if (twin !== undefined)
    throw new CoexistError('bad-definition', `applications: two are called "${twin.name}"`, {
      hint: 'alike ones are numbered: NAME-1, NAME-2',
    });
  return all;
}

function refuseTimes(
  path: string,
  { startMs, stopMs, windowMs }: { startMs: number | null; stopMs: number | null; windowMs: number },
): void {
  const refuse = (what: string, hint: string) => new CoexistError('bad-definition', `${path}: ${what}`, { hint });
  if (startMs !== null && startMs >= windowMs)
    throw refuse(
      `it starts ${startMs / 1000} s into a window of ${windowMs / 1000} s`,
      'start it earlier, or lengthen run.window',
    );
  if (stopMs !== null && stopMs > windowMs)
    throw refuse(
      `it stops ${stopMs / 1000} s into a window of ${windowMs / 1000} s`,
      'leave "stop" out to let it run to the end',
    );
  if (startMs !== null && stopMs !== null && startMs >= stopMs)
    throw refuse(
      `it starts at ${startMs / 1000} s, after its stop at ${stopMs / 1000} s`,
      'a start comes before the stop',
    );
}
