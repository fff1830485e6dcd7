/** Series voice.sent.jsonl: state of the voice at the media server, once a second. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { VoiceSentRecord } from '../../../server/session/voice-stream.ts';
import { bytes, count, ms, packets, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const voiceSentSeries = new Series(
  {
    id: 'voice.sent',
    of: 'application',
    title: 'The voice at the media server',
    pace: 'once a second',
    serverTimes: ['spokenMs'],
  },
  schemaOf<VoiceSentRecord>()(
    z.object({
      spokenMs: time('when the sample at this place was spoken; it is sent when its frame is complete'),
      clipMs: ms('place of the sample in the clip'),
      rtpTimestamp: count('RTP timestamp of the sample (48 kHz)'),
      packets: packets('sent since the session began'),
      payloadBytes: bytes('of payload sent since the session began'),
      redundantFrames: count(
        'earlier frames that each packet repeats (RED); not there in older records',
      ).exactOptional(),
      latenessMaxMs: ms('longest time that a packet was sent late since the last record'),
    }),
  ),
);

export type VoiceSentLine = RecordOf<typeof voiceSentSeries>;
