/** Judges gaps whose cause lies at the sender: frames were skipped, encoded late or held by the pacer. */
import { counted } from '../../../../core/text/counted.ts';
import type { SkippedFrameLine } from '../../../record/series/frames.sent.ts';
import { type Evidence, senderDelay } from './evidence.ts';
import type { Finding } from './finding.ts';
import { bps, ms } from './sentences.ts';

/** Skipped frames explain a gap if their periods together are at least this share of the added time. */
const enough = 0.5;

/** Words for the reasons for which a sender decides to skip a frame. */
const decisions = {
  pacer: 'its pacer was full',
  pushback: 'its congestion window was full',
  ladder: 'it had lowered its frame rate',
} satisfies Partial<Record<SkippedFrameLine['skipped'], string>>;

/** Judges a gap whose next frame was captured late or not at all. */
export function captureFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { before, next, periodMs },
    skipped,
    surroundings,
  } = evidence;
  const late =
    next === null
      ? `no frame was sent after frame ${before.frame}`
      : `frame ${next.frame} was captured ${ms(addedMs)} late`;
  if (!surroundings.knowsSender)
    return { cause: 'unknown', evidence: `${late}; the sender does not report single frames` };
  const leftOut = (reason: SkippedFrameLine['skipped']) =>
    skipped.filter(({ skipped: why }) => why === reason).reduce((sum, skip) => sum + skip.count, 0);
  const decided = (Object.keys(decisions) as (keyof typeof decisions)[])
    .map(reason => ({ reason, frames: leftOut(reason) }))
    .filter(({ frames }) => frames > 0)
    .sort((a, b) => b.frames - a.frames);
  if (decided.reduce((sum, { frames }) => sum + frames, 0) * periodMs >= enough * addedMs && decided.length > 0) {
    const reasons = decided.map(({ reason, frames }) => `${counted(frames, 'frame')} because ${decisions[reason]}`);
    return {
      cause: 'rate-decision',
      evidence: `the sender skipped ${reasons.join(', and ')}, at ${bps(before.encoderBps)}`,
    };
  }
  const host = senderDelay(evidence);
  if (host !== null) return { cause: 'sender-host', evidence: `${late}; ${host}` };
  const behind = leftOut('late');
  if (behind * periodMs >= enough * addedMs)
    return {
      cause: 'encoder',
      evidence:
        `${late}, because the encoder was busy with another: ${counted(behind, 'frame')} skipped, ` +
        "while the sender's timers were in time",
    };
  if (next !== null)
    return {
      cause: 'rate-decision',
      evidence:
        `the encoder produced nothing for ${counted(next.frame - before.frame - 1, 'frame')} before frame ` +
        `${next.frame}, at ${bps(next.encoderBps)}`,
    };
  return { cause: 'unknown', evidence: `${late}, and the record does not show why` };
}

export function encoderFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { next },
  } = evidence;
  const late =
    `frame ${next!.frame} was ${ms(next!.encodedMs - next!.captureMs)} in the encoder, ` +
    `${ms(addedMs)} longer than the previous frame`;
  const host = senderDelay(evidence);
  return host === null
    ? { cause: 'encoder', evidence: `${late}; the sender's timers were in time` }
    : { cause: 'sender-host', evidence: `${late}; ${host}` };
}

export function pacerFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { next },
  } = evidence;
  const late =
    `frame ${next!.frame} waited ${ms((next!.last?.sentMs ?? next!.lastSentMs) - next!.encodedMs)} in the sender's ` +
    `pacer, ${ms(addedMs)} longer than the previous frame`;
  const host = senderDelay(evidence);
  return host === null
    ? { cause: 'rate-decision', evidence: `${late}, at an encoder rate of ${bps(next!.encoderBps)}` }
    : { cause: 'sender-host', evidence: `${late}; ${host}` };
}
