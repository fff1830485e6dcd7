/** Gaps that come from the sending side: pictures not taken, encoded late, kept by the pacer. */
import type { SkippedFrameLine } from '../../record/series.ts';
import type { Evidence } from './evidence.ts';
import { senderDelay } from './evidence.ts';
import type { Finding } from './causes.ts';
import { bps, count, ms } from './sentences.ts';

/** Pictures left out explain a gap where their periods are at least this share of what was added. */
const enough = 0.5;

/** Why a sender leaves out pictures of its own will. */
const decisions = {
  'pacer': 'its pacer was still full', 'pushback': 'more was under way than its congestion window holds', 'ladder': 'it had lowered its frame rate',
} satisfies Partial<Record<SkippedFrameLine['skipped'], string>>;

/** The next picture was taken late, or none was. */
export function captureFinding(evidence: Evidence): Finding {
  const { addedMs, blocking: { before, next, periodMs }, skipped, surroundings } = evidence;
  const late = next === null ? `no picture was sent after picture ${before.frame}` : `picture ${next.frame} was taken ${ms(addedMs)} late`;
  if (!surroundings.knowsSender) return { cause: 'unknown', evidence: `${late}; the sender tells nothing of its pictures` };
  const leftOut = (reason: SkippedFrameLine['skipped']) => skipped.filter(({ skipped: why }) => why === reason).reduce((sum, skip) => sum + skip.count, 0);
  const decided = (Object.keys(decisions) as (keyof typeof decisions)[]).map(reason => ({ reason, pictures: leftOut(reason) })).filter(({ pictures }) => pictures > 0).sort((a, b) => b.pictures - a.pictures);
  if (decided.reduce((sum, { pictures }) => sum + pictures, 0) * periodMs >= enough * addedMs && decided.length > 0) {
    return { cause: 'rate-decision', evidence: `the sender left out ${decided.map(({ reason, pictures }) => `${count(pictures, 'picture')} because ${decisions[reason]}`).join(', and ')}, at ${bps(before.encoderBps)}` };
  }
  const host = senderDelay(evidence);
  if (host !== null) return { cause: 'sender-host', evidence: `${late}; ${host}` };
  const behind = leftOut('late');
  if (behind * periodMs >= enough * addedMs) return { cause: 'encoder', evidence: `${late}, the encoder being busy with another: ${count(behind, 'picture')} left out, and the sender's timers were in time` };
  if (next !== null) return { cause: 'rate-decision', evidence: `the encoder gave nothing for ${count(next.frame - before.frame - 1, 'picture')} before picture ${next.frame}, at ${bps(next.encoderBps)}` };
  return { cause: 'unknown', evidence: `${late}, and nothing in the record tells why` };
}

export function encoderFinding(evidence: Evidence): Finding {
  const { addedMs, blocking: { next } } = evidence;
  const late = `picture ${next!.frame} was ${ms(next!.encodedMs - next!.captureMs)} in the encoder, ${ms(addedMs)} more than the one shown before`;
  const host = senderDelay(evidence);
  return host === null ? { cause: 'encoder', evidence: `${late}; the sender's timers were in time` } : { cause: 'sender-host', evidence: `${late}; ${host}` };
}

export function pacerFinding(evidence: Evidence): Finding {
  const { addedMs, blocking: { next } } = evidence;
  const late = `picture ${next!.frame} was kept by the sender's pacer for ${ms((next!.last?.sentMs ?? next!.lastSentMs) - next!.encodedMs)}, ${ms(addedMs)} more than the one shown before`;
  const host = senderDelay(evidence);
  return host === null ? { cause: 'rate-decision', evidence: `${late}, at an encoder rate of ${bps(next!.encoderBps)}` } : { cause: 'sender-host', evidence: `${late}; ${host}` };
}
