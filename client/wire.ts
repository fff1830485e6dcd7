/**
 * Data that pages pass to the harness, which checks it with schemas of the same types. Times are Unix ms of the page's
 * clock (performance.timeOrigin + performance.now()). The record holds the clock's offset from the harness's clock.
 */

export type PageState = 'starting' | 'connecting' | 'playing' | 'failed' | 'closed';

export type PageStatus = {
  state: PageState;
  /** Reason of the failure: a code for the harness and a sentence for people. */
  failure: { code: 'no-h264' | 'refused' | 'connection'; message: string } | null;
  presentedFrames: number;
};

/**
 * Values of a call of requestVideoFrameCallback (WICG video-rvfc). The callback may miss frames; `presentedFrames`
 * counts these too.
 */
export type PresentedFrame = {
  callbackMs: number;
  /** Time at which the frame was passed to the compositor. */
  presentationMs: number;
  expectedDisplayMs: number;
  /** Number of frames passed to the compositor so far, including this one. */
  presentedFrames: number;
  /** Arrival time of the frame's last packet. */
  receiveMs: number | null;
  rtpTimestamp: number | null;
  /** Time for decoding the frame, ms. */
  processingMs: number | null;
  width: number;
  height: number;
};

/** A report of getStats. */
export type StatsEntry = Record<string, number | string | boolean>;

/** A reading of getStats by report type, in Chromium's units (seconds, bytes). */
export type StatsSample = {
  timeMs: number;
  inbound: StatsEntry | null;
  candidatePair: StatsEntry | null;
  remoteOutbound: StatsEntry | null;
};

/** A call or an event of the page's connection, with Chromium's name for it. `value` is JSON, or "". */
export type ConnectionEvent = { timeMs: number; type: string; value: string };

export type PageDrain = {
  status: PageStatus;
  frames: PresentedFrame[];
  stats: StatsSample | null;
  events: ConnectionEvent[];
  /** Longest delay of a timer on the page's main thread since the last drain. */
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** Functions that the live clip's page offers to the harness as `window.coexist`. */
export type PageApi = {
  timeMs(): number;
  status(): PageStatus;
  /** Returns everything collected since the last call, with fresh statistics. */
  drain(): Promise<PageDrain>;
  close(): void;
};

/** Functions that the called page of a call offers to the harness as `window.coexist`. */
export type CalleeApi = PageApi & {
  /** Returns the complete SDP of the answer to the complete SDP of an offer. */
  answer(offer: string): Promise<string>;
};

export type CallOptions = {
  width: number;
  height: number;
  frameRate: number;
  /** Name of the codec's media type after "video/", in lower case. */
  codec: string;
  maxBps: number;
  /** Degradation preference. Null leaves it to the browser. */
  degradation: 'maintain-framerate' | 'maintain-resolution' | 'balanced' | null;
};

/** A reading of getStats at the calling end by report type, in Chromium's units (seconds, bytes). */
export type CallerSample = {
  timeMs: number;
  outbound: StatsEntry | null;
  candidatePair: StatsEntry | null;
  remoteInbound: StatsEntry | null;
  /** Time for which the processor has limited the encoder's quality so far, s. */
  cpuLimitedS: number | null;
};

export type CallerDrain = CallerSample & {
  events: ConnectionEvent[];
  /** State of the connection (W3C webrtc, RTCPeerConnectionState). */
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed';
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** Functions that the calling page of a call offers to the harness as `window.coexist`. */
export type CallerApi = {
  timeMs(): number;
  /** Opens the camera and returns the complete SDP of the offer. */
  offer(options: CallOptions): Promise<string>;
  accept(answer: string): Promise<void>;
  drain(): Promise<CallerDrain>;
  close(): void;
};

/** State of the page itself, reported by the pages of all services. */
export type PageVitals = { timeMs: number; mainThreadDelayMaxMs: number; visible: boolean };

/**
 * Fetches from all addresses at once: without end if `chunkBytes` is null, otherwise in chunks. The next chunk starts
 * when all addresses have delivered theirs.
 */
export type TransferOrder = { urls: string[]; chunkBytes: number | null };

export type TransferBatch = { number: number; endMs: number; durationMs: number; bytes: number };

/** Report of a transfer's worker, ten times a second. `batches`: those that ended since the last report. */
export type TransferNews = { receivedBytes: number; batches: TransferBatch[]; failure: string | null };

export type TransferDrain = PageVitals & TransferNews;

/** Functions that the page of a transfer offers to the harness as `window.coexist`. */
export type TransferApi = {
  timeMs(): number;
  start(order: TransferOrder): void;
  /** Returns the progress, and the batches that ended since the last call. */
  drain(): TransferDrain;
};

export type VideoOrder = {
  player: 'hls.js' | 'dash.js';
  /** Each segment is fetched from all origins at once, one part from each. */
  origins: string[];
  bufferS: number;
  segmentS: number;
};

/** A segment that was received completely. */
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
  /** Time from the start to the first frame. Null before the first frame. */
  startupMs: number | null;
  positionS: number;
  bufferS: number;
  /** Rung of the segment on display. */
  rung: number | null;
  /** Bytes of completely received segments. */
  receivedBytes: number;
  /** Number of stalls that have begun. */
  stallCount: number;
  /** Total duration of all stalls so far, including one that has not ended. */
  stalledMs: number;
  openStallMs: number;
  presentedFrames: number;
  droppedFrames: number;
  /** Segments and stalls that ended since the last call. */
  segments: VideoSegment[];
  stalls: VideoStall[];
  /** Protocols over which segments were received so far (Resource Timing, nextHopProtocol). */
  protocols: string[];
  failure: string | null;
};

/** Functions that the page of adaptive video offers to the harness as `window.coexist`. */
export type VideoApi = {
  timeMs(): number;
  start(order: VideoOrder): void;
  drain(): VideoDrain;
};

/**
 * Reading of the largest video element in a frame of a third-party page. Counters start when the frame was opened.
 * Stalls are those of every element that was the largest one at the time.
 */
export type ElementReading = {
  /** Area of the page that the element covers, pixels. It decides which of several frames has the largest element. */
  area: number;
  /** Size of the video picture, pixels. */
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
