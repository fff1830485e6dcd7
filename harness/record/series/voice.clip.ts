/** Series voice.clip.jsonl: the voice that the media server sends in a loop. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { VoiceClipRecord } from '../../../server/session/voice-stream.ts';
import { count, ms, text } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const clipMs = ms('place of its first sample in the clip');

export const voiceClipSeries = new Series(
  { id: 'voice.clip', of: 'application', title: 'The voice that is sent in a loop', pace: 'a second of it' },
  schemaOf<VoiceClipRecord>()(
    z.object({ clipMs, pcm: text('16-bit samples of one channel, little endian, 16 kHz, in base64') }),
  ),
  {
    row: z.object({ clipMs, samples: count('samples of 16 kHz in the part') }),
    rows: lines =>
      lines.map(({ clipMs: fromMs, pcm }) => ({ clipMs: fromMs, samples: Math.floor(pcm.length * 0.375) })),
  },
);

export type VoiceClipLine = RecordOf<typeof voiceClipSeries>;
