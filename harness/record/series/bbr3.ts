/** Series bbr3.jsonl: path model of each TCP flow that uses BBRv3. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { Bbr3Event, Bbr3Sample } from '../../../shaper/bbr3/telemetry.ts';
import { bps, count, kinds, ms, packets, percent, text, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const kind = kinds('sample (ten a second) or event');
const states = ['startup', 'drain', 'down', 'cruise', 'refill', 'up', 'probe-rtt'] as const;

const model = {
  timeMs: time('when it was so'),
  maxBandwidthBps: bps('BBR.max_bw; null before there is one').nullable(),
  shortTermBandwidthBps: bps('BBR.bw_shortterm; null for infinite').nullable(),
  pacingBps: bps('pacing rate').nullable(),
  minRttMs: ms('BBR.min_rtt').nullable(),
  congestionWindowPackets: packets('congestion window'),
  inFlightPackets: packets('in flight'),
  longTermInFlightPackets: packets('BBR.inflight_longterm; null for infinite').nullable(),
  shortTermInFlightPackets: packets('BBR.inflight_shortterm; null for infinite').nullable(),
  rounds: count('round trips so far'),
  deliveredPackets: packets('delivered so far'),
  lostPackets: packets('lost so far, as TCP counts'),
};

const sample = schemaOf<
  { kind: 'sample' } & Omit<
    Bbr3Sample,
    'socket' | 'version' | 'budget' | 'source' | 'sourcePort' | 'destination' | 'destinationPort' | 'ended'
  >
>()(
  z.object({
    kind: kind('sample'),
    ...model,
    beginMs: time('when the connection began'),
    state: word(states, 'state of the state machine'),
    bandwidthBps: bps('BBR.bw').nullable(),
    rttMs: ms('last sample of the round trip').nullable(),
    extraAckedPackets: packets('BBR.extra_acked'),
    lossRounds: count('round trips in which something was lost'),
    transitions: count('changes of state so far'),
    probeRttEpisodes: count('visits of ProbeRTT so far'),
    acknowledgments: count('that it has seen'),
    ringHits: count('acknowledgments for which it was known what was in flight when the packet was sent'),
    ringMisses: count('acknowledgments for which it was not'),
    lostPacketsSeen: packets('lost so far, as the congestion control was told'),
  }),
);

const event = schemaOf<{ kind: 'event' } & Omit<Bbr3Event, 'socket'>>()(
  z.object({
    kind: kind('event'),
    ...model,
    number: count('of the event'),
    event: text('what happened'),
    from: word(states, 'state before it'),
    to: word(states, 'state after it'),
    pacingGainPercent: percent('pacing gain'),
    probeWaitMs: ms('how long DOWN and CRUISE wait at most'),
  }),
);

const flow = { port: count('port of the end that connected: names the flow') };

/**
 * States and events of BBRv3 in each TCP flow. An event that occurs before the first sample of its flow is written
 * after that sample.
 */
export const bbr3Series = new Series(
  {
    id: 'bbr3',
    of: 'application',
    title: 'Path model of a flow that uses BBRv3',
    pace: 'ten a second, and each event',
  },
  z.discriminatedUnion('kind', [z.object({ ...flow, ...sample.shape }), z.object({ ...flow, ...event.shape })]),
);

export type Bbr3Record = RecordOf<typeof bbr3Series>;
