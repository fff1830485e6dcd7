/** The link of a definition: what may be written, and the link model (core/link.ts) that comes out. */
import { backendIds } from '../../core/backends.ts';
import { baseRttMs, fullFrameBytes, queueLimitForms } from '../../core/link.ts';
import type { Bottleneck, Link, Way } from '../../core/link.ts';
import { choice, duration, object, queueLimit, rate, ratio, text, z } from '../../core/schema.ts';
import type { DurationText, QueueLimitText, RateText, RatioText } from '../../core/units.ts';
import { lossSchema } from './loss.ts';
import type { LossDefinition } from './loss.ts';

export type WayDefinition = {
  delay?: { down?: DurationText; up?: DurationText };
  rtt?: DurationText;
  jitter?: DurationText;
  reorder?: { ratio: RatioText; delay: DurationText };
  duplicate?: RatioText;
};

/** The bottleneck of one direction. */
export type BottleneckDefinition = {
  rate?: RateText;
  queue?: { limit?: QueueLimitText; aqm?: string | { id: string; [parameter: string]: unknown }; ecn?: boolean };
  loss?: LossDefinition;
  schedule?: { at: DurationText; rate: RateText; ramp?: DurationText }[];
  trace?: string;
};

export type LinkDefinition = BottleneckDefinition & WayDefinition & {
  bytes?: 'ethernet' | 'ip';
  /** From the clients; left out: that direction has delays alone. */
  up?: BottleneckDefinition;
  /** What is different for the sender of the service. */
  server?: WayDefinition;
  /** What is different for the sender of the flood. */
  flooder?: WayDefinition;
  backend?: Link['backend'];
};

/** A bottleneck whose AQM is still the choice of the definition: a plug-in's id and parameters. */
type BottleneckBeforeAqm = Omit<Bottleneck, 'aqm'> & { aqm: { id: string; [parameter: string]: unknown } };
export type LinkBeforeAqm = Omit<Link, keyof Bottleneck | 'up'> & BottleneckBeforeAqm & { up: BottleneckBeforeAqm | null };

const wayShape = {
  delay: object({
    down: duration({ min: 0, max: 10e3 }).optional().describe('One-way delay towards the client, before the queue.'),
    up: duration({ min: 0, max: 10e3 }).optional().describe('One-way delay of the way back.'),
  }).optional(),
  rtt: duration({ min: 0, max: 20e3 }).optional().describe('Base round-trip time to which the way is brought.'),
  jitter: duration({ min: 0, max: 5e3 }).optional().describe('Bound of the random delay towards the client; packets keep their order.'),
  reorder: object({ ratio: ratio({ min: 0, max: 0.5 }), delay: duration({ moreThan: 0, max: 5e3 }) }).optional().describe('Packets that leave later than their turn.'),
  duplicate: ratio({ min: 0, max: 0.5 }).optional().describe('Packets that arrive twice.'),
};

export const waySchema = object(wayShape);
type CheckedWay = z.output<typeof waySchema>;

function way(all: CheckedWay, own: CheckedWay | undefined): Way {
  const pick = <K extends keyof CheckedWay>(key: K): CheckedWay[K] => own?.[key] ?? all[key];
  const reorder = pick('reorder');
  return {
    downMs: own?.delay?.down ?? all.delay?.down ?? 0, upMs: own?.delay?.up ?? all.delay?.up ?? 0, rttMs: pick('rtt') ?? null,
    jitterMs: pick('jitter') ?? 0, reorder: reorder === undefined || reorder.ratio === 0 ? null : { ratio: reorder.ratio, delayMs: reorder.delay },
    duplicateRatio: pick('duplicate') ?? 0,
  };
}

const bottleneckRate = () => rate({ min: 64e3, max: 10e9 });

const bottleneckShape = {
  queue: object({
    limit: queueLimit().describe('Limit of the queue: packets, bytes, the time the link needs to drain it, or a multiple of the bandwidth-delay product.'),
    aqm: z.union([text().transform(id => ({ id })), z.looseObject({ id: text() })], { error: 'must be the name of an AQM, or an object with its "id" and parameters' })
      .default({ id: 'fifo' }).describe('What manages the queue.'),
    ecn: z.boolean().default(false).describe('Lets the AQM mark packets instead of dropping them.'),
  }),
  loss: lossSchema.default(null).describe('Random loss in this direction, the same for all senders.'),
  schedule: z.array(object({
    at: duration({ min: 0, max: 24 * 3600e3 }), rate: bottleneckRate(), ramp: duration({ min: 0, max: 3600e3 }).default(0),
  })).default([]).describe('Rates that the bottleneck takes, from the start of the measured window.'),
  trace: text().optional().describe('A packet-delivery trace in the format of mahimahi, in place of the rate.'),
};

const upSchema = object({ rate: bottleneckRate().describe('Rate of the bottleneck from the clients.'), ...bottleneckShape });
type CheckedBottleneck = z.output<typeof upSchema>;

function bottleneck({ rate: rateBps, queue, loss, schedule, trace }: CheckedBottleneck): BottleneckBeforeAqm {
  return {
    rateBps, queue: queue.limit, aqm: queue.aqm, ecn: queue.ecn, loss, schedule: schedule.map(({ at, rate: to, ramp }) => ({ atMs: at, rateBps: to, rampMs: ramp })), trace: trace ?? null,
  };
}

export const linkSchema = object({
  rate: bottleneckRate().describe('Rate of the bottleneck towards the client.'),
  bytes: choice(['ethernet', 'ip']).default('ethernet').describe('What the rate and a limit in bytes count: Ethernet frames without checksum, or IP packets.'),
  ...bottleneckShape,
  up: upSchema.optional().describe('The bottleneck from the clients, with fields of the same names; left out, that direction has delays alone.'),
  ...wayShape,
  server: waySchema.optional(),
  flooder: waySchema.optional(),
  backend: choice(['auto', ...backendIds]).default('auto').describe('What forms the link; by itself one that serialises, or one that no flow can tell from it.'),
}).transform(({ bytes, up, server, flooder, backend, rate: ownRate, queue, loss, schedule, trace, ...all }): LinkBeforeAqm => ({
  ...bottleneck({ rate: ownRate, queue, loss, schedule, trace }), bytes, up: up === undefined ? null : bottleneck(up), ways: { server: way(all, server), flooder: way(all, flooder) }, backend,
})).superRefine(refuseNonsense);

function refuseNonsense(link: LinkBeforeAqm, context: z.core.$RefinementCtx<LinkBeforeAqm>): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const [name, { rttMs, downMs, upMs }] of Object.entries(link.ways)) {
    if (rttMs !== null && rttMs < downMs + upMs) refuse([name, 'rtt'], `the base round-trip time (${rttMs} ms) is less than the delays that are asked for (${downMs + upMs} ms)`);
  }
  for (const [place, one] of [[[], link], ...(link.up === null ? [] : [[['up'], { ...link, ...link.up }]])] as [string[], LinkBeforeAqm][]) {
    if (one.queue.unit === 'bdp' && baseRttMs(one) === 0) refuse([...place, 'queue', 'limit'], 'a limit in BDP needs a delay: set link.rtt or link.delay');
    else if (queueLimitForms(one).packets < 1) refuse([...place, 'queue', 'limit'], `the queue must hold at least one full packet (${fullFrameBytes(one)} bytes)`);
    for (const [k, step] of one.schedule.entries()) {
      const before = one.schedule[k - 1];
      if (before !== undefined && step.atMs < before.atMs + before.rampMs) refuse([...place, 'schedule', String(k), 'at'], 'steps must be in order, each after the ramp before it');
    }
    if (one.trace !== null && one.schedule.length > 0) refuse([...place, 'trace'], 'a link follows a trace or a schedule, not both');
  }
}

