/** Series caller.jsonl: getStats of the calling page of a call, and delays of that page. */
import type { CallerSample, PageVitals } from '../../../client/wire.ts';
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { seconds, statistics, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';
import { punctuality } from './page.ts';

export const callerSeries = new Series(
  {
    id: 'caller',
    of: 'application',
    title: 'A sender that is a browser: getStats of its connection and punctuality of its page',
    pace: 'once a second',
  },
  schemaOf<CallerSample & PageVitals>()(
    z.object({
      timeMs: time('when the statistics were read'),
      cpuLimitedS: seconds('how long the encoder has been limited by the processor so far').nullable(),
      ...punctuality,
      outbound: statistics('RTCOutboundRtpStreamStats of the video').nullable(),
      outboundAudio: statistics('RTCOutboundRtpStreamStats of the voice; missing if there is none').exactOptional(),
      candidatePair: statistics('RTCIceCandidatePairStats of the nominated pair').nullable(),
      remoteInbound: statistics('RTCRemoteInboundRtpStreamStats of the video').nullable(),
    }),
  ),
);

export type CallerRecord = RecordOf<typeof callerSeries>;
