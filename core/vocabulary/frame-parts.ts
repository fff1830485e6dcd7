/**
 * Parts of a frame's latency, in the order in which the frame passes them after capture.
 * harness/analysis/derive/timeline/frame-parts.ts defines where each part ends.
 */
export const frameParts = ['encoder', 'pacer', 'queue', 'wire', 'repair', 'jitter-buffer', 'decode'] as const;
export type FramePart = (typeof frameParts)[number];
