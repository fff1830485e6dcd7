/** A clip as the program that decodes it tells it (decode-clip.ts). */
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { z } from '../../core/schema.ts';
import { decoded } from './decoder-program.ts';

const factsSchema = z.strictObject({
  width: z.number().int().min(1).max(65_536),
  height: z.number().int().min(1).max(65_536),
  frameRate: z.number().positive().max(1e6),
  codec: z.string().max(100),
  /** Length of the file; null where it does not say. */
  seconds: z.number().positive().nullable(),
});

/** What a file is. */
export type DecodedClip = z.output<typeof factsSchema>;

const clip = {
  program: fileURLToPath(new URL('./decode-clip.ts', import.meta.url)),
  facts: factsSchema,
  what: 'the clip',
  code: 'bad-clip',
  hints: {
    missing: 'give the path of a video file with --set service.clip=FILE',
    broken: 'play it with another program to see whether it is whole, or give another with --set service.clip=FILE',
  },
} as const;

/** Decodes a clip. `words`: what the program is to do. Throws `bad-clip`, `timed-out`, or what `use` throws. */
export function withDecoder<T>(
  path: string,
  words: readonly string[],
  use: (facts: DecodedClip, pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  return decoded({ ...clip, words }, path, use);
}

/** Decodes the first frames of a clip: enough to refuse a file that is none. */
export async function probeClip(path: string): Promise<Omit<DecodedClip, 'seconds'>> {
  return withDecoder(path, ['probe'], async ({ seconds: _, ...facts }, pieces) => {
    for await (const _ of pieces) throw new CoexistError('bad-clip', 'the decoder says more than it was asked');
    return facts;
  });
}
