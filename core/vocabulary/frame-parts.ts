/**
 * Parts of a frame's latency, in order from capture on. harness/analysis/derive/timeline/frame-parts.ts defines where
 * each part ends.
 */
export const frameParts = ['encoder', 'pacer', 'queue', 'wire', 'repair', 'jitter-buffer', 'decode'] as const;
export type FramePart = (typeof frameParts)[number];
