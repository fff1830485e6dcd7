/** Makes time lines of frames by hand. */
import type { FrameLine } from '../../../../../../harness/analysis/derive/timeline/frame-line.ts';

export function frameLine(change: Partial<FrameLine> = {}): FrameLine {
  return {
    frame: 0,
    rtpTimestamp: 0,
    key: false,
    captureMs: 0,
    encodedMs: 5,
    firstSentMs: 5,
    lastSentMs: 9,
    encoderBps: 2e6,
    offeredMs: null,
    leftMs: null,
    lost: 0,
    dropped: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0, behind: 0 },
    loss: null,
    last: null,
    repairs: null,
    completeMs: null,
    presentedMs: null,
    decodingMs: null,
    ...change,
  };
}
