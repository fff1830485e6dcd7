/** Makes the series with the samples of a voice that a page recorded. */
import { z } from '../../../core/schema/schema.ts';
import { count, text, time } from './fields.ts';
import { Series } from './series.ts';

/** Part of a voice (client/wire.ts). */
type Part = { timeMs: number; pcm: string };

/** Returns the series. `when`: what happened to the first sample of a part at its time, in words. */
export function voicePartSeries({ id, title, when }: { id: string; title: string; when: string }): Series<Part> {
  const timeMs = time(`when its first sample was ${when}`);
  return new Series(
    { id, of: 'application', title, pace: 'a quarter of a second' },
    z.object({ timeMs, pcm: text('16-bit samples of one channel, little endian, 16 kHz, in base64') }),
    {
      row: z.object({ timeMs, samples: count('samples of 16 kHz in the part') }),
      rows: lines =>
        lines.map(({ timeMs: startMs, pcm }) => ({ timeMs: startMs, samples: Math.floor(pcm.length * 0.375) })),
    },
  );
}
