/** Series ping.jsonl: ICMP round trips from server to client. */
import { z } from '../../../core/schema/schema.ts';
import { count, ms, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const pingSeries = new Series(
  { id: 'ping', of: 'trial', title: 'ICMP round trips from server to client', pace: 'five a second' },
  z.object({
    timeMs: time('when the request was sent'),
    sequence: count('number of the request'),
    rttMs: ms('round trip; null where no answer came').nullable(),
  }),
);

export type PingRecord = RecordOf<typeof pingSeries>;
