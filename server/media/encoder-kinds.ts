/**
 * List of H.264 encoders, best first, and the choice between them by a test encoding.
 *
 * FFmpeg lists h264_nvenc on any hardware, and on a GPU without an encoder block h264_nvenc fails only when it is
 * opened. Therefore each kind is tested with two blank frames.
 */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { emptyFrame, orThrow } from './av.ts';
import { type EncoderKind, VideoEncoder } from './encoder.ts';
import { type EncoderName, hasPreset } from './encoder-names.ts';

export const encoderKinds: readonly EncoderKind[] = [
  {
    codec: 'h264_nvenc',
    preset: 'p1',
    rateChangeMakesKeyFrame: true,
    options: preset => ({
      preset: preset,
      tune: 'ull',
      profile: 'baseline',
      rc: 'cbr',
      zerolatency: '1',
      'forced-idr': '1',
      delay: '0',
      multipass: 'disabled',
      'rc-lookahead': '0',
    }),
  },
  {
    codec: 'libx264',
    preset: 'ultrafast',
    rateChangeMakesKeyFrame: false,
    options: preset => ({
      preset: preset,
      tune: 'zerolatency',
      profile: 'baseline',
      'forced-idr': '1',
      'x264-params': 'scenecut=0:keyint=infinite:repeat-headers=1',
    }),
  },
];

/** Encodes two blank frames with an encoder of this kind. Throws the reason if the encoder fails. */
export async function probeEncoder(kind: EncoderKind): Promise<void> {
  const blank = emptyFrame();
  blank.width = 640;
  blank.height = 360;
  blank.format = C.AV_PIX_FMT_YUV420P;
  orThrow(blank.getBuffer(0), 'blank frame', 'no-encoder');
  for (const plane of blank.data ?? []) plane.fill(128);
  let encoder: VideoEncoder | undefined;
  try {
    encoder = await VideoEncoder.open(kind, { width: 640, height: 360, frameRate: 60, rateBps: 1e6 });
    const frames = [await encoder.encode(blank, true), await encoder.encode(blank, false)];
    if (frames.some(frame => frame === undefined))
      throw new CoexistError('no-encoder', `${kind.codec} holds frames back`);
  } finally {
    encoder?.close();
    blank.free();
  }
}

/**
 * Returns the first encoder that works, and the reasons why better ones do not. `preset`: preset that the encoder must
 * have; null for any. Throws `no-encoder` if no encoder works.
 */
export async function chooseEncoder(
  name: EncoderName,
  preset: string | null = null,
): Promise<{ kind: EncoderKind; passedOver: string[] }> {
  const passedOver: string[] = [];
  const level = av.Log.getLevel();
  av.Log.setLevel(C.AV_LOG_QUIET); // the message of a failed probe becomes part of the reason
  try {
    for (const kind of encoderKinds.filter(k => name === 'auto' || k.codec === name)) {
      try {
        if (!hasPreset(kind.codec, preset)) throw new CoexistError('no-encoder', `it has no preset "${preset}"`);
        await probeEncoder(kind);
        return { kind, passedOver };
      } catch (error) {
        passedOver.push(`${kind.codec}: ${messageOf(error)}`);
      }
    }
  } finally {
    av.Log.setLevel(level);
  }
  throw new CoexistError('no-encoder', `no H.264 encoder works here (${passedOver.join('; ')})`, {
    hint:
      name === 'auto'
        ? 'reinstall the packages with "npm ci"'
        : 'use --set service.encoder=auto to fall back to software',
  });
}
