/** Messages between the page of the demonstration and the harness: JSON over a WebSocket. */

type Setting = 'flood' | 'flows' | 'rate' | 'queue' | 'loss';

/** Value that a control offers, written as in a definition: "40mbit". */
export type Choice = {
  value: string;
  label: string;
  /** Reason why the value cannot be chosen on this machine. Null if it can be chosen. */
  obstacle: string | null;
};

export type Control = { setting: Setting; title: string; choices: Choice[]; chosen: string };

/** State of the demonstration. The harness sends it after every change. */
export type DemoState = {
  type: 'state';
  /** Description of the link in use. `flood`: description of the flood. */
  link: string;
  flood: string;
  /**
   * `counted`: the bytes of a packet that the bit rates include, in words. `rule`: the rule by which `sentence` and its
   * colour are chosen, in paragraphs.
   */
  counted: string;
  rule: readonly string[];
  controls: Control[];
  /** Value that the flood's button selects at the next click. */
  ready: Choice;
  changing: boolean;
  /** Reason why the harness did not make the last change. Null if it made the change. */
  refusal: string | null;
};

export type Count = { count: number; totalMs: number };

/** Current values, which the harness sends a few times a second. Null: the value is unknown. */
export type DemoValues = {
  type: 'values';
  timeMs: number;
  /**
   * Sentence about what the viewer currently sees. `unharmedSentence`: the same for the viewer of the same stream past
   * the link.
   */
  sentence: string;
  unharmedSentence: string;
  /** Rating of the picture by its frames, stalls, latency and quality together (harness/demo/sentence.ts). */
  rating: 'good' | 'strained' | 'bad' | 'machine';
  framesPerSecond: number;
  unharmedFramesPerSecond: number;
  /**
   * Rate of the stream at the exit of the bottleneck. `othersBps`: rate of all other traffic there while a flood runs.
   * Both count the bytes that the link counts.
   */
  subjectBps: number | null;
  othersBps: number | null;
  rttMs: number | null;
  queuePackets: number;
  queueMs: number;
  /** Longest time without a new frame since the previous message, ms. */
  longestGapMs: number;
  /** Limit for stalls, ms: a longer time without a new frame is a stall (core/vocabulary/stalls.ts). */
  stallMs: number;
  /** Stalls by the limit `stallMs`. `freezes`: freezes as the browser counts them (W3C). */
  stalls: Count;
  freezes: Count;
  /** Interruptions of the voice as the browser's concealment shows them. Null if the stream has no voice. */
  interruptions: Count | null;
  /** Sentence about a current disturbance by the machine itself. Null if there is none. */
  hostNotice: string | null;
};

export type DemoMessage = DemoState | DemoValues;

export type ControlMessage = { type: 'set'; setting: Setting; value: string };
