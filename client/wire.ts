/**
 * What the page hands to the harness, which checks it with a schema of the same type. Times are Unix ms of the page's
 * clock (performance.timeOrigin + performance.now()); the record tells how it stands to the harness's.
 */

export type PageState = 'starting' | 'connecting' | 'playing' | 'failed' | 'closed';

export type PageStatus = {
  state: PageState;
  /** Why it failed: a word for the harness and a sentence for people. */
  failure: { code: 'no-h264' | 'refused' | 'connection'; message: string } | null;
  /** Frames presented so far. */
  presentedFrames: number;
};

/** One call of requestVideoFrameCallback (WICG video-rvfc). The callback may miss frames: see `presentedFrames`. */
export type PresentedFrame = {
  callbackMs: number;
  /** When the frame was handed to the compositor. */
  presentationMs: number;
  expectedDisplayMs: number;
  /** Frames handed to the compositor so far, this one included. */
  presentedFrames: number;
  /** When the frame's last packet arrived. */
  receiveMs: number | null;
  rtpTimestamp: number | null;
  /** Decoding time. */
  processingMs: number | null;
  width: number;
  height: number;
};

/** One report of getStats. */
export type StatsEntry = Record<string, number | string | boolean>;

/** One reading of getStats, as Chromium gives it (seconds, bytes), by report type. */
export type StatsSample = {
  timeMs: number;
  inbound: StatsEntry | null;
  candidatePair: StatsEntry | null;
  remoteOutbound: StatsEntry | null;
};

/** A call or an event of the page's connection, by the name that Chromium logs it under; `value` is JSON, or "". */
export type ConnectionEvent = { timeMs: number; type: string; value: string };

export type PageDrain = {
  status: PageStatus;
  frames: PresentedFrame[];
  stats: StatsSample | null;
  events: ConnectionEvent[];
  /** Longest time that the page's main thread was kept from a timer since the last drain. */
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** What the page offers to the harness as `window.coexist`. */
export type PageApi = {
  timeMs(): number;
  status(): PageStatus;
  /** Everything collected since the last call, with fresh statistics. */
  drain(): Promise<PageDrain>;
  close(): void;
};

/** What the called page of a call offers to the harness as `window.coexist`. */
export type CalleeApi = PageApi & {
  /** Whole SDP of the offer to whole SDP of the answer. */
  answer(offer: string): Promise<string>;
};

export type CallOptions = {
  width: number;
  height: number;
  frameRate: number;
  /** Name of its media type after "video/", in lower case. */
  codec: string;
  maxBps: number;
  /** What gives way first; null leaves it to the browser. */
  degradation: 'maintain-framerate' | 'maintain-resolution' | 'balanced' | null;
};

/** One reading of getStats at the calling end, as Chromium gives it (seconds, bytes), by report type. */
export type CallerSample = {
  timeMs: number;
  outbound: StatsEntry | null;
  candidatePair: StatsEntry | null;
  remoteInbound: StatsEntry | null;
  /** How long the encoder's quality has been limited by the processor so far, s. */
  cpuLimitedS: number | null;
};

export type CallerDrain = CallerSample & {
  events: ConnectionEvent[];
  /** Of the connection (W3C webrtc, RTCPeerConnectionState). */
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed';
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** What the calling page of a call offers to the harness as `window.coexist`. */
export type CallerApi = {
  timeMs(): number;
  /** Opens the camera and returns the whole SDP of the offer. */
  offer(options: CallOptions): Promise<string>;
  accept(answer: string): Promise<void>;
  drain(): Promise<CallerDrain>;
  close(): void;
};

/** How a page of any service tells of itself. */
export type PageVitals = { timeMs: number; mainThreadDelayMaxMs: number; visible: boolean };

/**
 * What is fetched, from each address at once: without end, or chunk after chunk, where nobody begins the next before
 * all have theirs.
 */
export type TransferOrder = { urls: string[]; chunkBytes: number | null };

export type TransferBatch = { number: number; endMs: number; durationMs: number; bytes: number };

/** What a transfer's worker tells ten times a second; batches that have ended since it told last. */
export type TransferNews = { receivedBytes: number; batches: TransferBatch[]; failure: string | null };

export type TransferDrain = PageVitals & TransferNews;

/** What the page of a transfer offers to the harness as `window.coexist`. */
export type TransferApi = {
  timeMs(): number;
  start(order: TransferOrder): void;
  /** How far it is, and what has ended since the last call. */
  drain(): TransferDrain;
};

export type VideoOrder = {
  player: 'hls.js' | 'dash.js';
  /** A segment is fetched from all of them at once, a part from each. */
  origins: string[];
  bufferS: number;
  segmentS: number;
};

/** A segment that has come whole. */
export type VideoSegment = {
  endMs: number;
  number: number;
  rung: number;
  bytes: number;
  firstByteMs: number;
  durationMs: number;
};

export type VideoStall = { endMs: number; positionS: number; durationMs: number };

export type VideoDrain = PageVitals & {
  /** From the start to the first frame; null before it. */
  startupMs: number | null;
  positionS: number;
  bufferS: number;
  /** Of the segment that is shown. */
  rung: number | null;
  /** Of segments that have come whole. */
  receivedBytes: number;
  /** Stalls that have begun. */
  stallCount: number;
  /** All stalls so far, and the one that is not over. */
  stalledMs: number;
  openStallMs: number;
  presentedFrames: number;
  droppedFrames: number;
  /** Since the last call. */
  segments: VideoSegment[];
  stalls: VideoStall[];
  /** Over which segments have come so far (Resource Timing, nextHopProtocol). */
  protocols: string[];
  failure: string | null;
};

/** What the page of adaptive video offers to the harness as `window.coexist`. */
export type VideoApi = {
  timeMs(): number;
  start(order: VideoOrder): void;
  drain(): VideoDrain;
};

/**
 * The largest video element of a frame of somebody else's page. Counts are since the frame was opened; stalls are those
 * of every element that was the largest.
 */
export type ElementReading = {
  /** Of the page that it covers, pixels; tells the largest of several frames. */
  area: number;
  /** Of the frame. */
  width: number;
  height: number;
  positionS: number;
  bufferS: number;
  stalls: number;
  stalledMs: number;
  openStallMs: number;
  presentedFrames: number;
  droppedFrames: number;
};
