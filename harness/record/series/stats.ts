/** Series stats.jsonl: getStats of the receiving connection, once a second. */
import type { StatsSample } from '../../../client/wire.ts';
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { statistics, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const statsSeries = new Series(
  { id: 'stats', of: 'application', title: 'getStats of the receiving connection', pace: 'once a second' },
  schemaOf<StatsSample>()(
    z.object({
      timeMs: time('when the statistics were read'),
      inbound: statistics('RTCInboundRtpStreamStats of the video').nullable(),
      inboundAudio: statistics('RTCInboundRtpStreamStats of the voice; missing if there is none').exactOptional(),
      candidatePair: statistics('RTCIceCandidatePairStats of the nominated pair').nullable(),
      remoteOutbound: statistics('RTCRemoteOutboundRtpStreamStats').nullable(),
    }),
  ),
);

export type StatsRecord = RecordOf<typeof statsSeries>;
