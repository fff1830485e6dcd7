/**
 * Data that pages pass to the harness, which checks the data with schemas of the same types. Times are Unix ms of the
 * page's clock (performance.timeOrigin + performance.now()). The record holds the offset of the page's clock from the
 * harness's clock.
 */

export type PageState = 'starting' | 'connecting' | 'playing' | 'failed' | 'closed';

export type PageStatus = {
  state: PageState;
  /** Reason why the page failed: a code for the harness and a sentence for people. Null if the page did not fail. */
  failure: { code: 'no-h264' | 'refused' | 'connection'; message: string } | null;
  presentedFrames: number;
};

/**
 * A presented frame, as passed to the callback of requestVideoFrameCallback (WICG video-rvfc). The callback may miss
 * frames; `presentedFrames` counts these frames, too.
 */
export type PresentedFrame = {
  callbackMs: number;
  /** Time at which the browser passed the frame to the compositor. */
  presentationMs: number;
  expectedDisplayMs: number;
  /** Number of frames that the browser has passed to the compositor so far, including this one. */
  presentedFrames: number;
  /** Arrival time of the last packet of the frame. Null if the browser does not report it. */
  receiveMs: number | null;
  rtpTimestamp: number | null;
  /** Browser's estimate of when the frame was captured. Missing if the browser does not report it. */
  captureTimeMs?: number;
  /** Time that the decoding of the frame took, ms. Null if the browser does not report it. */
  processingMs: number | null;
  width: number;
  height: number;
};

/** Entry of a getStats report. */
export type StatsEntry = Record<string, number | string | boolean>;

/** Entries of a getStats report, in Chromium's units (seconds, bytes). Null: the report has no such entry. */
export type StatsSample = {
  timeMs: number;
  /** Received video. */
  inbound: StatsEntry | null;
  /** Received voice; missing if there is none. */
  inboundAudio?: StatsEntry;
  candidatePair: StatsEntry | null;
  remoteOutbound: StatsEntry | null;
};

/**
 * Part of a voice that the page received, as it was passed on for playing, or that it captured: 16-bit samples of one
 * channel, little endian, 16 kHz, in base64. `timeMs`: time at which the first of them was passed on or captured, or
 * later if the page was busy. All samples are in the parts, but where the browser passed nothing on for a time, the
 * times have a gap.
 */
export type VoicePart = { timeMs: number; pcm: string };

/** A call or an event of the page's connection. `type`: its name in Chromium's log. `value`: JSON, or "". */
export type ConnectionEvent = { timeMs: number; type: string; value: string };

export type PageDrain = {
  status: PageStatus;
  frames: PresentedFrame[];
  heard: VoicePart[];
  stats: StatsSample | null;
  events: ConnectionEvent[];
  /** Longest delay of a timer on the page's main thread since the last call of `drain`, ms. */
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** Functions that the live clip's page offers to the harness as `window.coexist`. */
export type PageApi = {
  timeMs(): number;
  status(): PageStatus;
  /** Returns everything that was collected since the last call, with current statistics. */
  drain(): Promise<PageDrain>;
  close(): void;
};

/** Functions that the called page of a call offers to the harness as `window.coexist`. */
export type CalleeApi = PageApi & {
  /** Returns the SDP of the answer to an offer. `offer`: SDP of the offer. Both contain all candidates. */
  answer(offer: string): Promise<string>;
};

/** Voice of a call. Rate and protection are chosen in the answer. */
export type CallVoice = {
  maxBps: number;
  /** True: redundant audio (RFC 2198) is preferred to plain Opus. */
  isRedundant: boolean;
  /** True: voice and picture belong to one media stream, which the other end plays in sync. */
  sync: boolean;
};

export type CallOptions = {
  width: number;
  height: number;
  frameRate: number;
  /** Media type of the codec without "video/", in lower case. */
  codec: string;
  maxBps: number;
  /** Degradation preference for the encoder. Null: the browser's default. */
  degradation: 'maintain-framerate' | 'maintain-resolution' | 'balanced' | null;
  /** Null: the call has no voice. */
  audio: CallVoice | null;
};

/**
 * Entries of a getStats report of the calling page, in Chromium's units (seconds, bytes). Null: the report has no such
 * entry.
 */
export type CallerSample = {
  timeMs: number;
  /** Sent video. `remoteInbound`: what the other end reports of it. */
  outbound: StatsEntry | null;
  /** Sent voice; missing if there is none. */
  outboundAudio?: StatsEntry;
  candidatePair: StatsEntry | null;
  remoteInbound: StatsEntry | null;
  /** Total time for which the processor has limited the quality of the encoder so far, s. Null if it is unknown. */
  cpuLimitedS: number | null;
};

export type CallerDrain = CallerSample & {
  /** Voice as the page's microphone captured it. */
  spoken: VoicePart[];
  events: ConnectionEvent[];
  /** State of the connection (W3C webrtc, RTCPeerConnectionState). */
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed';
  mainThreadDelayMaxMs: number;
  visible: boolean;
};

/** Functions that the calling page of a call offers to the harness as `window.coexist`. */
export type CallerApi = {
  timeMs(): number;
  /** Opens the camera, and the microphone if asked, and returns the SDP of the offer, with all candidates. */
  offer(options: CallOptions): Promise<string>;
  accept(answer: string): Promise<void>;
  /** Stops sending picture and voice, or goes on, while the connection lives. */
  setPaused(isPaused: boolean): Promise<void>;
  drain(): Promise<CallerDrain>;
  close(): void;
};

/** State of a page, which the pages of all services report. */
export type PageVitals = { timeMs: number; mainThreadDelayMaxMs: number; visible: boolean };

/**
 * Order for a transfer. The worker fetches from all addresses at the same time: without end if `chunkBytes` is null,
 * otherwise in chunks. The next chunks start when the chunks of all addresses have arrived.
 */
export type TransferOrder = { urls: string[]; chunkBytes: number | null };

export type TransferBatch = { number: number; endMs: number; durationMs: number; bytes: number };

/**
 * Report of a transfer's worker, which it sends ten times a second. `batches`: batches that ended since the previous
 * report.
 */
export type TransferNews = { receivedBytes: number; batches: TransferBatch[]; failure: string | null };

export type TransferDrain = PageVitals & TransferNews;

/** Functions that the page of a transfer offers to the harness as `window.coexist`. */
export type TransferApi = {
  timeMs(): number;
  start(order: TransferOrder): void;
  /** Returns the state of the transfer, and the batches that ended since the last call. */
  drain(): TransferDrain;
};

export type VideoOrder = {
  player: 'hls.js' | 'dash.js';
  /**
   * Origins from which the video is fetched. Each segment is fetched from all of them at the same time, one part from
   * each.
   */
  origins: string[];
  bufferS: number;
  segmentS: number;
};

/** A segment of a video that was received completely. */
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
  /** Time from the start to the first frame, ms. Null before the first frame. */
  startupMs: number | null;
  positionS: number;
  bufferS: number;
  /** Rung of the segment that is played. Null before the first frame. */
  rung: number | null;
  /** Total bytes of the segments that were received completely. */
  receivedBytes: number;
  /** Number of stalls so far, including one that has not ended. */
  stallCount: number;
  /** Total duration of all stalls so far, ms, including one that has not ended. */
  stalledMs: number;
  openStallMs: number;
  presentedFrames: number;
  droppedFrames: number;
  /** Segments that were received completely since the last call. `stalls`: stalls that ended since then. */
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
 * Values of the largest video element in a frame of a third-party page. Counts of stalls start when the frame was
 * opened, and continue if another element becomes the largest one.
 */
export type ElementReading = {
  /**
   * Area that the element covers on the page, pixels. If a page has several frames, the largest area decides which
   * frame is read.
   */
  area: number;
  /** Width and height of the video's picture, pixels. */
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

/** Counters of the browser for a stream of audio that a third-party page receives (W3C webrtc-stats). */
export type AudioReading = {
  /** Name of the stream, different for every stream of the page. */
  stream: string;
  packetsReceived: number;
  totalSamplesReceived: number;
  concealedSamples: number;
  concealmentEvents: number;
};
