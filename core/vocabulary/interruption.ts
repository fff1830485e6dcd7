/**
 * Least length of a gap in a voice that counts as an interruption, ms: from it on, libwebrtc counts one (2026-08,
 * modules/audio_coding/neteq/statistics_calculator.cc, kInterruptionLenMs).
 */
export const interruptionMs = 150;
