/**
 * Link of a definition: the schema of the spelling that users write, and its conversion to the link model
 * (core/vocabulary/link.ts).
 */

import { CoexistError } from '../../core/errors.ts';
import {
  choice,
  duration,
  object,
  queueLimit,
  rate,
  ratio,
  schemaFacts,
  text,
  type Written,
  z,
} from '../../core/schema/schema.ts';
import { backendIds } from '../../core/vocabulary/backends.ts';
import { hopCount, mostHops } from '../../core/vocabulary/hops.ts';
import {
  type Bottleneck,
  baseRttMs,
  bottleneckRates,
  fullFrameBytes,
  type Link,
  type Path,
  queueLimitForms,
} from '../../core/vocabulary/link.ts';
import { crossesSchema, spanOfNames } from './crosses.ts';
import { type LossDefinition, lossSchema } from './loss.ts';
import { type TraceDefinition, traceSchema } from './trace.ts';

/** Bottleneck whose AQM is not yet resolved: `aqm` holds id and parameters as they are written in the definition. */
type BottleneckBeforeAqm = Omit<Bottleneck, 'aqm'> & { aqm: { id: string; [parameter: string]: unknown } };
type HopBeforeAqm = BottleneckBeforeAqm & { up: BottleneckBeforeAqm | null; backend: Link['backend'] };
type LinkBeforeAqm = Omit<Link, keyof Bottleneck | 'up' | 'further'> & HopBeforeAqm & { further?: HopBeforeAqm[] };

const pathShape = {
  delay: object({
    down: duration({ min: 0, max: 10e3 })
      .optional()
      .describe('One-way delay from the server to the client, applied before the queue.'),
    up: duration({ min: 0, max: 10e3 }).optional().describe('One-way delay from the client to the server.'),
  }).optional(),
  rtt: duration({ min: 0, max: 20e3 })
    .optional()
    .describe('Base round-trip time. The path gets the delay that is missing to reach it.'),
  jitter: duration({ min: 0, max: 5e3 })
    .optional()
    .describe('Upper bound of a random delay from the server to the client. Packets keep their order.'),
  reorder: object({
    ratio: ratio({ min: 0, max: 0.5 }).describe('Share of packets that are held back.'),
    delay: duration({ moreThan: 0, max: 5e3 }).describe('How long each of these is held back.'),
  })
    .optional()
    .describe('Reorders packets: a share of them is held back while others overtake.'),
  duplicate: ratio({ min: 0, max: 0.5 }).optional().describe('Share of packets that arrive twice.'),
};

export const pathSchema = object(pathShape);
/** Path of one application. */
export const ownPathSchema = object({ ...pathShape, crosses: crossesSchema });
type CheckedPath = z.output<typeof pathSchema>;
export type CheckedOwnPath = z.output<typeof ownPathSchema>;

/**
 * Returns the path of an application over a row of `hops` bottlenecks. `all`: settings of the link. `own`: settings of
 * the application.
 */
function pathWith(all: CheckedPath, own: CheckedOwnPath | undefined, name: string, hops: number): Path {
  const pick = <K extends keyof CheckedPath>(key: K): CheckedPath[K] => own?.[key] ?? all[key];
  const reorder = pick('reorder');
  const crosses = own?.crosses === undefined ? undefined : spanOfNames(own.crosses, hops, name);
  return {
    downMs: own?.delay?.down ?? all.delay?.down ?? 0,
    upMs: own?.delay?.up ?? all.delay?.up ?? 0,
    rttMs: pick('rtt') ?? null,
    jitterMs: pick('jitter') ?? 0,
    reorder: reorder === undefined || reorder.ratio === 0 ? null : { ratio: reorder.ratio, delayMs: reorder.delay },
    duplicateRatio: pick('duplicate') ?? 0,
    ...(crosses === undefined ? {} : { crosses }),
  };
}

const bottleneckRate = () => rate(bottleneckRates);

const bottleneckShape = {
  queue: object({
    limit: queueLimit().describe(
      'Limit of the queue: packets, bytes, the time that the link needs to drain it, or a multiple of the bandwidth-delay product.',
    ),
    aqm: z
      .union([text().transform(id => ({ id })), z.looseObject({ id: text() })], {
        error: 'must be the name of an AQM, or an object with its "id" and parameters',
      })
      .default({ id: 'fifo' })
      .describe('The queue discipline, with its parameters.')
      .register(schemaFacts, { accepts: 'id of an [AQM](#aqms), or an object with its `id` and parameters' }),
    ecn: z.boolean().default(false).describe('Lets the AQM mark packets with ECN instead of dropping them.'),
  }),
  loss: lossSchema
    .default(null)
    .describe(
      'Random loss in this direction. It is seeded: the k-th packet of a sender is lost in every condition alike. ' +
        'Bursts follow the Gilbert-Elliott model (`toBad`, `toGood`, `bad`, `good`).',
    ),
  schedule: z
    .array(
      object({
        at: duration({ min: 0, max: 24 * 3600e3 }).describe(
          'When the change begins, counted from the start of the measured window.',
        ),
        rate: bottleneckRate().describe('The new rate.'),
        ramp: duration({ min: 0, max: 3600e3 })
          .default(0)
          .describe('How long the rate takes to get there, in a straight line.'),
      }),
    )
    .default([])
    .describe('Changes of the rate. The queue is never flushed.'),
  trace: traceSchema
    .optional()
    .describe(
      'A trace that rate, delay, loss and outages follow: the path of a file of opportunities (mahimahi) or of a ' +
        'table, a list of one of each, or an object that says how it is played. See [links](links.md).',
    ),
};

const upSchema = object({
  rate: bottleneckRate().describe('Rate of the bottleneck from the clients to the servers.'),
  ...bottleneckShape,
});
type CheckedBottleneck = z.output<typeof upSchema>;

function bottleneck({ rate: rateBps, queue, loss, schedule, trace }: CheckedBottleneck): BottleneckBeforeAqm {
  return {
    rateBps,
    queue: queue.limit,
    aqm: queue.aqm,
    ecn: queue.ecn,
    loss,
    schedule: schedule.map(({ at, rate: to, ramp }) => ({ atMs: at, rateBps: to, rampMs: ramp })),
    trace: trace ?? null,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the link as written, with "same" in `link.up` replaced by the setting of `link`: by the whole queue, or by
 * its AQM alone (and its ECN, unless `link.up` sets one). The same in each bottleneck of `link.then`. All other values
 * stay as they are; the schema checks them later.
 */
export function withSameQueue<T extends object>(link: T): T {
  const own = withSameOwnQueue(link);
  const { then: further } = own as { then?: unknown };
  if (!Array.isArray(further)) return own;
  return { ...own, then: further.map((hop: unknown) => (isObject(hop) ? withSameOwnQueue(hop) : hop)) };
}

function withSameOwnQueue<T extends object>(link: T): T {
  const { queue, up } = link as { queue?: unknown; up?: unknown };
  if (!isObject(up)) return link;
  if (up['queue'] === 'same') return { ...link, up: { ...up, queue } };
  const own = up['queue'];
  if (!isObject(own) || own['aqm'] !== 'same') return link;
  const { aqm: _, ...rest } = own;
  const { aqm, ecn } = isObject(queue) ? queue : {};
  const same = { ...(aqm === undefined ? {} : { aqm }), ...(ecn === undefined ? {} : { ecn }) };
  return { ...link, up: { ...up, queue: { ...same, ...rest } } };
}

const backend = () =>
  choice(['auto', ...backendIds])
    .default('auto')
    .describe('The program that shapes the link. See [link backends](studies.md#link-backends).');

const hopSchema = object({
  rate: bottleneckRate().describe('Rate of the bottleneck towards the clients.'),
  ...bottleneckShape,
  up: upSchema.optional().describe('A bottleneck at the same place, from the clients to the servers.'),
  backend: backend(),
}).transform(
  ({ up, backend: id, ...own }): HopBeforeAqm => ({
    ...bottleneck(own),
    up: up === undefined ? null : bottleneck(up),
    backend: id,
  }),
);

export const linkSchema = object({
  rate: bottleneckRate().describe('Rate of the bottleneck from the servers to the clients.'),
  bytes: choice(['ethernet', 'ip'])
    .default('ethernet')
    .describe(
      'What the rate and a queue limit in bytes count: Ethernet frames without checksum (1514 bytes for an IP packet ' +
        'of 1500), or IP packets.',
    ),
  ...bottleneckShape,
  up: upSchema
    .optional()
    .describe(
      'A second bottleneck, from the clients to the servers. Without it that direction has delay only. ' +
        "`queue: 'same'` takes the whole `link.queue`, `queue.aqm: 'same'` its discipline (and `ecn`) with a limit of its own.",
    ),
  then: z
    .array(hopSchema, { error: 'must be a list of bottlenecks' })
    .max(mostHops - 1, { error: `a link has ${mostHops} bottlenecks at most` })
    .default([])
    .describe(
      'Bottlenecks behind this one, in their order towards the clients. See [links](links.md#bottlenecks-in-a-row).',
    ),
  ...pathShape,
  server: ownPathSchema
    .optional()
    .describe('Short form of `applications.service.link`: settings of the path of `service` alone.'),
  flooder: ownPathSchema
    .optional()
    .describe('Short form of `applications.flood.link`: settings of the path of `flood` alone.'),
  backend: backend(),
})
  // the settings of `server` and `flooder` are those of two applications (applications.ts)
  .transform(
    ({ bytes, up, then, server: _, flooder: __, backend: id, rate: own, queue, loss, schedule, trace, ...path }) => ({
      ...bottleneck({ rate: own, queue, loss, schedule, trace }),
      bytes,
      up: up === undefined ? null : bottleneck(up),
      ...(then.length === 0 ? {} : { further: then }),
      path,
      backend: id,
    }),
  );

/** Settings of a path as written. */
export type PathDefinition = Written<typeof ownPathSchema>;

/** Bottleneck in one direction, as written. A condition leaves out what it does not change, also of the queue. */
type BottleneckDefinition<Own extends object, Same = never> = Partial<Omit<Own, 'queue' | 'loss' | 'trace' | 'up'>> & {
  queue?: Partial<Written<typeof bottleneckShape.queue>> | Same;
  loss?: LossDefinition;
  trace?: TraceDefinition;
};

type UpDefinition = BottleneckDefinition<Written<typeof upSchema>, 'same'>;

/**
 * Link as written. `up`: bottleneck in the direction from the clients to the servers. `then`: bottlenecks behind this
 * one, in their order towards the clients.
 */
export type LinkDefinition = Omit<BottleneckDefinition<Written<typeof linkSchema>>, 'then'> & {
  up?: UpDefinition;
  then?: (BottleneckDefinition<Written<typeof hopSchema>> & { up?: UpDefinition })[];
};

/**
 * Returns the link with a path for each application. `own`: settings of each application's path, by its name. Throws
 * `bad-definition` if values do not fit together.
 */
export function linkWithPaths(
  { path, ...link }: z.output<typeof linkSchema>,
  own: readonly (readonly [name: string, path: CheckedOwnPath | undefined])[],
): LinkBeforeAqm {
  const hops = hopCount([link]);
  const whole = { ...link, paths: Object.fromEntries(own.map(([name, of]) => [name, pathWith(path, of, name, hops)])) };
  refuseNonsense(whole);
  return whole;
}

function refuseNonsense(link: LinkBeforeAqm): void {
  const refuse = (path: string[], message: string) => {
    throw new CoexistError('bad-definition', `link: ${path.join('.')}: ${message}`);
  };
  for (const [name, { rttMs, downMs, upMs }] of Object.entries(link.paths)) {
    if (rttMs !== null && rttMs < downMs + upMs)
      refuse(
        ['rtt'],
        `the base round-trip time of ${name} (${rttMs} ms) is less than its delays (${downMs + upMs} ms)`,
      );
  }
  const both = (at: string[], one: LinkBeforeAqm): [string[], LinkBeforeAqm][] => [
    [at, one],
    ...(one.up === null ? [] : [[[...at, 'up'], { ...one, ...one.up }] satisfies [string[], LinkBeforeAqm]]),
  ];
  const all = [
    ...both([], link),
    ...(link.further ?? []).flatMap((hop, k) => both(['then', String(k)], { ...link, ...hop })),
  ];
  for (const [place, one] of all) {
    if (one.queue.unit === 'bdp' && baseRttMs(one) === 0)
      refuse([...place, 'queue', 'limit'], 'a limit in BDP needs a delay: set link.rtt or link.delay');
    else if (
      queueLimitForms({
        ...one,
        rateBps:
          one.queue.unit === 'ms' ? Math.min(one.rateBps, ...one.schedule.map(step => step.rateBps)) : one.rateBps,
      }).packets < 1
    )
      refuse(
        [...place, 'queue', 'limit'],
        `the queue must hold at least one full packet (${fullFrameBytes(one)} bytes)`,
      );
    for (const [k, step] of one.schedule.entries()) {
      const before = one.schedule[k - 1];
      if (before !== undefined && step.atMs < before.atMs + before.rampMs)
        refuse([...place, 'schedule', String(k), 'at'], 'steps must be in order, each after the ramp before it');
    }
    if (one.trace !== null && one.schedule.length > 0)
      refuse([...place, 'trace'], 'a link follows a trace or a schedule, not both');
    if (one.trace !== null && !['auto', 'emulator'].includes(one.backend))
      refuse([...place, 'trace'], `${one.backend} cannot follow a trace; leave out backend, or set it to emulator`);
  }
}
