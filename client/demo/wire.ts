/** Messages between the demonstration's page and the harness: JSON over a WebSocket. */

type Setting = 'flood' | 'flows' | 'rate' | 'queue' | 'loss';

/** A value that a control offers, written as in a definition: "40mbit". */
export type Choice = {
  value: string;
  label: string;
  /** Reason why the value cannot be chosen on this machine. Null if it can. */
  obstacle: string | null;
};

export type Control = { setting: Setting; title: string; choices: Choice[]; chosen: string };

/** State of the demonstration. Sent after every change. */
export type DemoState = {
  type: 'state';
  /** Descriptions of the link and the flood that are running. */
  link: string;
  flood: string;
  /**
   * `counted`: the bytes that the bit rates include. `rule`: the rule for the sentence and its colour, in paragraphs.
   */
  counted: string;
  rule: readonly string[];
  controls: Control[];
  /** Next choice of the flood's button. */
  ready: Choice;
  changing: boolean;
  /** Reason why the last change was not made. Null if it was made. */
  refusal: string | null;
};

export type Count = { count: number; totalMs: number };

/** Current values, sent a few times a second. Null: no value. */
export type DemoValues = {
  type: 'values';
  timeMs: number;
  /** Sentences about the current view of the viewer, and of the viewer of the unharmed stream. */
  sentence: string;
  unharmedSentence: string;
  /** Rating of the view by frames, stalls, latency and quality of the frames together (harness/demo/sentence.ts). */
  rating: 'good' | 'strained' | 'bad' | 'machine';
  framesPerSecond: number;
  unharmedFramesPerSecond: number;
  /**
   * Rates at the exit of the bottleneck, in the bytes that the link counts: the stream, and all other traffic while a
   * flood runs.
   */
  mediaBps: number | null;
  floodBps: number | null;
  rttMs: number | null;
  queuePackets: number;
  queueMs: number;
  /** Longest time without a new frame since the previous values. */
  longestGapMs: number;
  /** Longest time without a new frame that is not a stall (core/vocabulary/stalls.ts). */
  stallMs: number;
  /** Stalls by this limit, and freezes as the browser counts them (W3C). */
  stalls: Count;
  freezes: Count;
  /** Notice about a current disturbance by the machine itself. Null if there is none. */
  hostNotice: string | null;
};

export type DemoMessage = DemoState | DemoValues;

export type ControlMessage = { type: 'set'; setting: Setting; value: string };
