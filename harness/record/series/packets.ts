/** Series packets.jsonl: packets of the media, each with its times of sending, arrival and feedback. */

import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { ecnFields } from '../../../core/vocabulary/ecn.ts';
import { packetKinds } from '../../../core/vocabulary/packet-kind.ts';
import type { PacketRecord } from '../../../server/session/recorder.ts';
import { bytes, count, ms, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const packetSeries = new Series(
  {
    id: 'packets',
    of: 'application',
    title: 'Packets of the media and what became of them',
    pace: 'each packet',
    serverTimes: ['sentMs', 'feedbackMs'],
  },
  schemaOf<PacketRecord>()(
    z.object({
      sequence: count('transport-wide sequence number, unwrapped'),
      kind: word(packetKinds, 'media (of the video), retransmission, padding, protection (error correction) or voice'),
      rtpSequence: count('RTP sequence number'),
      rtpTimestamp: count('RTP timestamp (90 kHz; 48 kHz of a packet of the voice)'),
      frame: count('number of the frame in the session; -1 where the packet has no frame of the video'),
      sentMs: time('when it left'),
      bytes: bytes('of the RTP packet'),
      payloadBytes: bytes('of its payload'),
      probe: count('probe cluster that it belongs to; not there outside probes').exactOptional(),
      receivedMs: ms(
        "arrival by the receiver's feedback, on a clock whose origin is the browser's own; null where it told none",
      ).nullable(),
      feedbackMs: time('when the feedback on it came; null where none did').nullable(),
      receivedEcn: word(
        ecnFields,
        'ECN field with which it arrived, by feedback of RFC 8888: not-ect, ect1, ect0 or ce; not there otherwise',
      ).exactOptional(),
    }),
  ),
);

export type PacketLine = RecordOf<typeof packetSeries>;
