/** When a voice is interrupted, and the causes of interruptions. */
import { causes } from './stalls.ts';

/**
 * Least length of a gap in a voice that counts as an interruption, ms: from it on, libwebrtc counts one (2026-08,
 * modules/audio_coding/neteq/statistics_calculator.cc, kInterruptionLenMs).
 */
export const interruptionMs = 150;

/**
 * Least number of frames lost in a row by random loss that is a burst. RED repairs at most two (the parameter `red` of
 * the voice).
 */
export const burstFrames = 3;

/**
 * Causes of interruptions of a voice in words, by id. They are in the order in which a frame of the voice passes the
 * parts that cause them. Those that stalls have, too, have the same words.
 */
export const interruptionCauses = {
  'sender-pause': 'pause of the sender',
  'sender-host': causes['sender-host'],
  encoder: causes.encoder,
  'rate-change': causes['rate-change'],
  outage: causes.outage,
  queue: causes.queue,
  'link-host': causes['link-host'],
  'tunnel-queue': causes['tunnel-queue'],
  'tunnel-window': causes['tunnel-window'],
  'tunnel-recovery': causes['tunnel-recovery'],
  'overflow-loss': causes['overflow-loss'],
  'aqm-loss': causes['aqm-loss'],
  'random-loss': causes['random-loss'],
  'burst-loss': 'random loss in a burst',
  'other-loss': 'loss for another or an unknown reason',
  repair: 'repair not in time',
  'receiver-host': causes['receiver-host'],
  browser: causes.browser,
  'jitter-buffer': 'jitter buffer',
  unknown: causes.unknown,
} as const;

export type InterruptionCause = keyof typeof interruptionCauses;

export const interruptionCauseIds = Object.keys(interruptionCauses) as InterruptionCause[];
