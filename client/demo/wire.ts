/** Messages between the demonstration's page and the harness, as JSON over a WebSocket. */

type Setting = 'flood' | 'flows' | 'rate' | 'queue' | 'loss';

/** A value that a control offers, in the words of a definition: "40mbit". */
export type Choice = {
  value: string;
  label: string;
  /** Why it cannot be chosen on this machine; null where it can. */
  obstacle: string | null;
};

export type Control = { setting: Setting; title: string; choices: Choice[]; chosen: string };

/** How things stand; sent after every change. */
export type DemoState = {
  type: 'state';
  /** The link and the flood that really run, in words. */
  link: string;
  flood: string;
  /** What the bit rates count, and the rule of the sentence and its colour, paragraph by paragraph. */
  counted: string;
  rule: readonly string[];
  controls: Control[];
  /** What the button of the flood does next. */
  ready: Choice;
  /** A change is under way. */
  changing: boolean;
  /** Why the last change was not made; null where it was. */
  refusal: string | null;
};

export type Count = { count: number; totalMs: number };

/** The present in numbers; sent a few times a second. Null where there is none. */
export type DemoValues = {
  type: 'values';
  /** Unix ms of the harness's clock. */
  timeMs: number;
  /** What the viewer sees now, and what the viewer of the unharmed stream does. */
  sentence: string;
  unharmedSentence: string;
  /** What that comes to, by frames, stalls, latency and quality of the frames together (harness/demo/sentence.ts). */
  rating: 'good' | 'strained' | 'bad' | 'machine';
  framesPerSecond: number;
  unharmedFramesPerSecond: number;
  /** What left the bottleneck, in the bytes that the link counts: of the stream, and of all else while a flood runs. */
  mediaBps: number | null;
  floodBps: number | null;
  rttMs: number | null;
  queuePackets: number;
  queueMs: number;
  /** Longest time without a new frame since the values before these. */
  longestGapMs: number;
  /** A longer time without a new frame is a stall (core/vocabulary/stalls.ts). */
  stallMs: number;
  /** Such stalls, and the browser's own count of freezes (W3C). */
  stalls: Count;
  freezes: Count;
  /** What the machine itself does to the frame now; null where it keeps out of it. */
  hostNotice: string | null;
};

export type DemoMessage = DemoState | DemoValues;

/** A control was moved. */
export type ControlMessage = { type: 'set'; setting: Setting; value: string };
