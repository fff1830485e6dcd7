/**
 * Names of encoders and of their speed presets. This file is separate from the encoders, so that checking a definition
 * does not load FFmpeg.
 */
import { meantWords } from '../../core/text/nearest.ts';

export const encoderNames = ['auto', 'h264_nvenc', 'libx264'] as const;

export type EncoderName = (typeof encoderNames)[number];

/**
 * Presets of each encoder, from x264 common/base.c, x264_preset_names, and FFmpeg libavcodec/nvenc_h264.c, "preset".
 */
const presets: Readonly<Record<Exclude<EncoderName, 'auto'>, readonly string[]>> = {
  libx264: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower', 'veryslow', 'placebo'],
  h264_nvenc: [
    ...['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'default', 'slow', 'medium', 'fast', 'hp', 'hq', 'bd'],
    ...['ll', 'llhq', 'llhp', 'lossless', 'losslesshp'],
  ],
};

/**
 * True if the codec has the preset. Also true for a codec that is not listed here: opening that codec reports a wrong
 * preset.
 */
export function hasPreset(codec: string, preset: string | null): boolean {
  const known = Object.hasOwn(presets, codec) ? presets[codec as keyof typeof presets] : undefined;
  return preset === null || known === undefined || known.includes(preset);
}

/**
 * Returns the reason why no encoder of this name has the preset, with the valid names; undefined if an encoder has it.
 */
export function presetObstacle(encoder: EncoderName, preset: string | undefined): string | undefined {
  const asked = (Object.keys(presets) as (keyof typeof presets)[]).filter(codec => [codec, 'auto'].includes(encoder));
  if (preset === undefined || asked.some(codec => hasPreset(codec, preset))) return undefined;
  const all = asked.flatMap(codec => presets[codec]);
  const known = asked.map(codec => `${codec}: ${presets[codec].join(', ')}`).join('; ');
  return `there is no preset "${preset}"${meantWords(preset, all)} (${known})`;
}
