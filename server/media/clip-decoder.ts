/** Decodes and inspects clips through a separate decoder program (decode-clip.ts). */
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { z } from '../../core/schema/schema.ts';
import type { ClipFacts } from '../../core/vocabulary/clip-facts.ts';
import { clipRecords } from './clip-records.ts';
import { decoded } from './decoder-program.ts';

const headerSchema = z.strictObject({
  width: z.number().int().min(1).max(65_536),
  height: z.number().int().min(1).max(65_536),
  codec: z.string().max(100),
  /** Length of the file in seconds; null if the container does not state it. */
  fileSeconds: z.number().positive().nullable(),
});

/** Properties of a clip that the headers of the file state. */
type ClipHeader = z.output<typeof headerSchema>;

const clip = {
  program: fileURLToPath(new URL('./decode-clip.ts', import.meta.url)),
  facts: headerSchema,
  what: 'the clip',
  code: 'bad-clip',
  hints: {
    missing: 'give the path of a video file with --set service.clip=FILE, or one of high-motion and bigbuckbunny',
    broken: 'play it with another program to see whether it is whole, or give another with --set service.clip=FILE',
  },
} as const;

/**
 * Decodes a clip and passes its header and its data to `use`. `words`: arguments of the decoder program. Throws
 * `bad-clip`, `timed-out` and the errors of `use`.
 */
export function withDecoder<T>(
  path: string,
  words: readonly string[],
  use: (header: ClipHeader, pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  return decoded({ ...clip, words }, path, use);
}

/**
 * Decodes the first `maxSeconds` of a clip and returns the facts, without the frames. Throws `bad-clip`, `timed-out`.
 */
export async function inspectClip(path: string, maxSeconds: number): Promise<ClipFacts> {
  return withDecoder(path, ['inspect', String(maxSeconds)], async (_, pieces) => {
    for await (const record of clipRecords(pieces, 0)) if ('facts' in record) return record.facts;
    throw new CoexistError('bad-clip', 'the decoder does not say what it is');
  });
}
