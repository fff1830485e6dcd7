/**
 * Judges gaps whose cause lies at the receiver: the receiver waited for a key frame, or did not show a complete frame.
 */
import { type Evidence, receiverDelay } from './evidence.ts';
import type { Finding } from './finding.ts';
import { lossWordsOf } from './network.ts';
import { ms } from './sentences.ts';

export function keyFrameFinding({ addedMs, blocking: { broken, next }, surroundings }: Evidence): Finding {
  return {
    cause: 'key-frame',
    evidence:
      `${lossWordsOf(broken!, surroundings.losesBehindQueue)} and never repaired; ` +
      `key frame ${next!.frame} was captured ${ms(addedMs)} after it`,
  };
}

export function holdFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { next, after },
    gap,
  } = evidence;
  const held =
    `frame ${next!.frame} was complete ${ms(gap.toMs - next!.completeMs!)} before the next frame was presented, ` +
    `${ms(addedMs)} longer than the previous frame`;
  // a wait for a key frame explains the gap better: the browser has to request the key frame, and requests none while
  // the page is held up
  if (after?.key && after !== next)
    return {
      cause: 'key-frame',
      evidence: `${held}; the browser showed nothing until key frame ${after.frame}, taken ${ms(after.captureMs - next!.captureMs)} later`,
    };
  const host = receiverDelay(evidence);
  return host === null
    ? { cause: 'browser', evidence: `${held}; its page's timers were in time` }
    : { cause: 'receiver-host', evidence: `${held}; ${host}` };
}
