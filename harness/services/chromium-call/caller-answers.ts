/** Schemas of the data that the two pages of a call report in addition to the viewer's data. */
import type { CallerDrain } from '../../../client/wire.ts';
import { object, z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { unixMs, vitals } from '../shared/page-values.ts';
import { eventList, statsEntry, voiceParts } from '../viewer-drain.ts';

/** SDP text. Chromium's description with a video stream and a voice has 7000 characters. */
export const descriptionSchema = z.string().max(200_000);

export const callerSchema = schemaOf<CallerDrain>()(
  object({
    timeMs: unixMs,
    outbound: statsEntry.nullable(),
    outboundAudio: statsEntry.exactOptional(),
    candidatePair: statsEntry.nullable(),
    remoteInbound: statsEntry.nullable(),
    /** Time for which the processor limited the encoder, s; at most a day. */
    cpuLimitedS: z.number().min(0).max(86_400).nullable(),
    state: z.enum(['new', 'connecting', 'connected', 'disconnected', 'failed', 'closed']),
    spoken: voiceParts,
    events: eventList,
    ...vitals,
  }),
);
