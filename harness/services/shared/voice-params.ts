/** Parameters of the voice that services send. */
import { basename, resolve } from 'node:path';
import { duration, integer, object, rate, text, z } from '../../../core/schema/schema.ts';
import type { Host } from '../../../core/system/host.ts';
import { voiceRateHz } from '../../../core/vocabulary/voice.ts';
import type { VoiceOptions } from '../../../server/control/protocol.ts';
import { loadVoice } from '../../../server/media/voice/clip.ts';

/** Name of the synthesised voice. */
const synthesised = 'synthesised';

/** Lengths of the frames that Opus has and that make sense for a voice, ms (RFC 6716, section 2.1.4). */
const frameLengthsMs: readonly number[] = [10, 20, 40, 60];

export const voiceSchema = object({
  voice: text()
    .default(synthesised)
    .describe(
      'What is said: `synthesised` (of no language, without pauses), or the path of a WAV file of 48 kHz, one channel ' +
        'and 16 bits, which is played in a loop. Both get chirps that mark their places.',
    ),
  bitrate: rate({ min: 6e3, max: 128e3 }).default(32e3).describe('Bitrate of Opus, without headers.'),
  fec: z
    .boolean()
    .default(true)
    .describe('In-band forward error correction: each packet has a coarse copy of the frame before it.'),
  red: integer({ min: 0, max: 2 })
    .default(0)
    .describe('Redundant audio (RFC 2198): number of earlier frames that each packet repeats.'),
  dtx: z.boolean().default(false).describe('Discontinuous transmission: nothing is sent in silence.'),
  frame: duration({ min: 10, max: 60 })
    .refine(ms => frameLengthsMs.includes(ms), { error: 'a packet of Opus holds 10, 20, 40 or 60 ms' })
    .default(20)
    .describe('Length of the frame that each packet carries: 10, 20, 40 or 60 ms.'),
  sync: z
    .boolean()
    .default(true)
    .describe('Voice and video belong to one media stream, which the browser plays in sync, as in a call.'),
});

export type VoiceParams = z.output<typeof voiceSchema>;

export const isNamedVoice = (name: string): boolean => name === synthesised;

/** Throws `bad-clip` if the voice cannot be sent. */
export function checkVoice({ voice }: VoiceParams): void {
  if (!isNamedVoice(voice)) loadVoice(voice);
}

/** Returns a line on the file of the voice for a dry run; none for the synthesised voice. Throws as `checkVoice` does. */
export function voiceLines({ voice }: Pick<VoiceParams, 'voice'>): string[] {
  if (isNamedVoice(voice)) return [];
  return [`voice ${basename(voice)}: ${(loadVoice(voice).length / voiceRateHz).toFixed(1)} s`];
}

/** Returns the options of the voice for the media server. `clip`: WAV file on its host; null for the synthesised voice. */
export const voiceOptions = (
  { bitrate, fec, red, dtx, frame, sync }: VoiceParams,
  clip: string | null,
): VoiceOptions => ({
  clip,
  bitrateBps: bitrate,
  fec,
  red,
  dtx,
  frameMs: frame,
  sync,
});

/** Returns the options of the voice, with its file on the host of the media server. */
export async function voiceOrder(params: VoiceParams, host: Host): Promise<VoiceOptions> {
  return voiceOptions(params, isNamedVoice(params.voice) ? null : await host.give(resolve(params.voice)));
}
