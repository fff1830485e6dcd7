/** Series voice.heard.jsonl: the voice as the browser of the listener passed it on for playing. */
import type { HeardPart } from '../../../client/wire.ts';
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { count, text, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const timeMs = time('when its first sample was passed on for playing');

export const voiceHeardSeries = new Series(
  {
    id: 'voice.heard',
    of: 'application',
    title: 'The voice as the browser of the listener passed it on for playing',
    pace: 'a quarter of a second',
  },
  schemaOf<HeardPart>()(
    z.object({ timeMs, pcm: text('16-bit samples of one channel, little endian, 16 kHz, in base64') }),
  ),
  {
    row: z.object({ timeMs, samples: count('samples of 16 kHz in the part') }),
    rows: lines =>
      lines.map(({ timeMs: startMs, pcm }) => ({ timeMs: startMs, samples: Math.floor(pcm.length * 0.375) })),
  },
);

export type VoiceHeardRecord = RecordOf<typeof voiceHeardSeries>;
