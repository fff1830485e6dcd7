/** The voices of a run as the codec alone leaves them, with which the scores of what listeners heard are compared. */
import { resolve } from 'node:path';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { object, text, z } from '../../core/schema/schema.ts';
import { formatRate } from '../../core/text/units.ts';
import { loadVoice, recordedVoice } from '../../server/media/voice/clip.ts';
import { codecAlone } from '../../server/media/voice/codec-alone.ts';
import { RunFolder } from '../record/run-folder.ts';
import { type VoiceClipLine, voiceClipSeries } from '../record/series/voice.clip.ts';
import type { TrialRecord } from '../record/trial-record.ts';
import { isNamedVoice } from '../services/shared/voice-params.ts';

/**
 * A voice with settings of the codec, and the trials that sent it. `spoken` and `decoded`: 16-bit samples, little endian,
 * 16 kHz, in base64; `reason`: why they are not known.
 */
export type CodecVoice = {
  trials: string[];
  settings: string;
  spoken: string | null;
  decoded: string | null;
  reason: string | null;
};

/** Facts of trial.json on the voice of a service. */
const voiceFacts = object({
  voice: text(),
  bitrate: z.number(),
  frame: z.number(),
  fec: z.boolean(),
  dtx: z.boolean(),
});
type VoiceFacts = z.output<typeof voiceFacts>;

const settingsOf = ({ bitrate, frame, fec, dtx }: VoiceFacts) =>
  `Opus at ${formatRate(bitrate)}, frames of ${frame} ms${fec ? ', in-band FEC' : ''}${dtx ? ', DTX' : ''}`;

const base64 = ({ buffer, byteOffset, byteLength }: Int16Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

async function codecVoice(facts: VoiceFacts, clip: readonly VoiceClipLine[]): Promise<Omit<CodecVoice, 'trials'>> {
  const settings = settingsOf(facts);
  const unknown = (reason: string) => ({ settings, spoken: null, decoded: null, reason });
  if (clip.length === 0) return unknown('a browser encoded it');
  let samples: Int16Array;
  try {
    samples = loadVoice(isNamedVoice(facts.voice) ? null : resolve(facts.voice));
  } catch (error) {
    return unknown(messageOf(error));
  }
  const spoken = base64(recordedVoice(samples));
  if (spoken !== Buffer.concat(clip.map(({ pcm }) => Buffer.from(pcm, 'base64'))).toString('base64'))
    return unknown(`the voice ${facts.voice} is no longer what was sent`);
  const { bitrate, frame, fec, dtx } = facts;
  const decoded = await codecAlone(samples, { bitrateBps: bitrate, frameMs: frame, fec, dtx });
  return { settings, spoken, decoded: base64(recordedVoice(decoded)), reason: null };
}

/** Returns what the record states of the voice; undefined if it states none, or cannot be read, which verify tells. */
async function statedBy(folder: RunFolder, name: string) {
  try {
    const record: TrialRecord = folder.record(name);
    const stated = (record.own?.facts as { voice?: Record<string, unknown> } | null | undefined)?.voice;
    const { voice, bitrate, frame, fec, dtx } = stated ?? {};
    const { data } = voiceFacts.safeParse({ voice, bitrate, frame, fec, dtx });
    return data === undefined ? undefined : { facts: data, clip: await record.read(voiceClipSeries) };
  } catch (error) {
    if (error instanceof CoexistError) return undefined;
    throw error;
  }
}

/** Returns the voices of the trials of a run that count, each once for each of its settings. */
export async function codecVoices(path: string): Promise<CodecVoice[]> {
  const folder = RunFolder.open(path);
  const voices = new Map<string, CodecVoice>();
  for (const name of folder.trialNames()) {
    const stated = await statedBy(folder, name);
    if (stated === undefined) continue;
    const key = JSON.stringify([stated.facts, stated.clip]);
    const known = voices.get(key);
    if (known === undefined) voices.set(key, { trials: [name], ...(await codecVoice(stated.facts, stated.clip)) });
    else known.trials.push(name);
  }
  return [...voices.values()];
}
