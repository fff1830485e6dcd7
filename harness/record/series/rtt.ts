/** Series rtt.jsonl: round-trip times that the media sender measured. */
import { z } from '../../../core/schema/schema.ts';
import { ms, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const roundTripSeries = new Series(
  {
    id: 'rtt',
    of: 'application',
    title: 'Round trips seen by the media',
    pace: 'each report or feedback',
    serverTimes: ['timeMs'],
  },
  z.object({
    timeMs: time('when it was known'),
    rttMs: ms("round trip; by feedback it contains the receiver's wait for its report"),
    from: word(['report', 'feedback'], 'report (RTCP sender and receiver reports) or feedback (transport-wide)'),
  }),
);

export type RoundTripRecord = RecordOf<typeof roundTripSeries>;
