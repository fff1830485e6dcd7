/** Series sender.jsonl: state of the media server, once a second. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { SenderSample } from '../../../server/control/protocol.ts';
import { bps, bytes, cores, count, frames, ms, packets, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const senderSeries = new Series(
  {
    id: 'sender',
    of: 'application',
    title: "The media server's account of itself",
    pace: 'once a second',
    serverTimes: ['timeMs'],
  },
  schemaOf<SenderSample>()(
    z.object({
      timeMs: time('end of the interval'),
      intervalMs: ms('length of the interval'),
      cpuRatio: cores('processor time of the process over the interval'),
      eventLoopDelayMaxMs: ms('longest time that its event loop was kept from its timers'),
      framesEncoded: frames('encoded since the session began'),
      framesSkippedLate: frames('left out since the session began, because the host was late'),
      framesSkippedPacer: frames('left out since the session began, because the pacer was full'),
      framesSkippedPushback: frames('left out since the session began, because the congestion controller wanted fewer'),
      frameLatenessMaxMs: ms('longest lateness of a frame against its schedule'),
      encodeMaxMs: ms('longest time that a frame took to encode'),
      keyFrames: frames('key frames since the session began'),
      sentBytes: bytes('sent since the session began'),
      sentPackets: packets('sent since the session began'),
      retransmissions: packets('sent again since the session began'),
      protectionPackets: packets('of error correction since the session began'),
      nackedPackets: packets('asked for again by the receiver since the session began'),
      pictureLossIndications: count('RTCP picture loss indications since the session began (RFC 4585, 6.3.1)'),
      fullIntraRequests: count('RTCP full intra requests since the session began (RFC 5104, 3.5.1)'),
      malformedRtcp: packets('of RTCP that could not be read since the session began'),
      reportedEcn: z
        .object({
          'not-ect': packets('that arrived with Not-ECT since the session began, by feedback of RFC 8888'),
          ect1: packets('that arrived with ECT(1)'),
          ect0: packets('that arrived with ECT(0)'),
          ce: packets('that arrived with CE'),
        })
        .exactOptional(),
      rateChanges: count("changes of the encoder's rate since the session began"),
      targetBps: bps('target rate of the controller'),
      encoderBps: bps('rate that the encoder was given'),
      rttMs: ms('last round trip by RTCP reports').nullable(),
      pacerQueueMaxMs: ms("longest that the pacer's queue would have taken to drain"),
      residentBytes: bytes('memory of the process'),
    }),
  ),
);

export type SenderRecord = RecordOf<typeof senderSeries>;
