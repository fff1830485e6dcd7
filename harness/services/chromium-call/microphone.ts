/**
 * The voice of a call: the file that Chromium uses as its microphone, and the parameters of Opus that the sending browser
 * gets by the answer and by a field trial.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { letAllRead } from '../../../core/system/ownership.ts';
import { loadVoice } from '../../../server/media/voice/clip.ts';
import { wavFile } from '../../../server/media/voice/wav.ts';
import { isNamedVoice, type VoiceParams } from '../shared/voice-params.ts';
import { withParameters } from './answer-parameters.ts';

/** Writes the voice with its chirps into a new folder in `scratch`, and returns the path of the WAV file. */
export function microphoneFile({ voice }: VoiceParams, scratch: string): string {
  const file = join(mkdtempSync(join(scratch, 'microphone-')), 'voice.wav');
  writeFileSync(file, wavFile(loadVoice(isNamedVoice(voice) ? null : resolve(voice))));
  letAllRead(file); // browsers run as an unprivileged user
  return file;
}

/** Returns the switch with which a browser with fake devices plays a file in a loop as its microphone. */
export const microphoneSwitch = (file: string): string => `--use-file-for-fake-audio-capture=${file}`;

/**
 * Returns the field trial of libwebrtc by which the sending browser repeats this many frames in each packet (2026-08,
 * modules/audio_coding/codecs/red/audio_encoder_copy_red.cc); empty without redundant audio.
 */
export const redundancyTrial = (audio: Pick<VoiceParams, 'red'> | undefined): string =>
  audio === undefined || audio.red === 0 ? '' : `WebRTC-Audio-Red-For-Opus/Enabled-${audio.red}/`;

/**
 * Returns the answer with which the sending browser encodes the voice as the parameters ask (RFC 7587, section 6.1).
 * libwebrtc reads the length of its frames from `ptime` among the parameters of Opus.
 */
export const withVoice = (answer: string, { bitrate, fec, dtx, frame }: VoiceParams): string =>
  withParameters(answer, 'opus', {
    maxaveragebitrate: Math.round(bitrate),
    useinbandfec: Number(fec),
    usedtx: Number(dtx),
    ptime: frame,
  });
