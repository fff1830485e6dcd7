/** Parts of a frame's latency, from its capture on; harness/analysis/derive/timeline/frame-parts.ts says where each ends. */
export const frameParts = ['encoder', 'pacer', 'queue', 'wire', 'repair', 'jitter-buffer', 'decode'] as const;
export type FramePart = (typeof frameParts)[number];
