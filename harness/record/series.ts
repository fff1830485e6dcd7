/**
 * The raw series of a trial, by file name: one JSON object a line, units in the names. Times (`...Ms` points
 * in time) are Unix ms of the harness's clock, except in what the media server tells or
 * writes itself (sender, frames.sent, packets, controller, probes, rtt), which is on the server's clock.
 */
import type { CallerSample, ConnectionEvent, PresentedFrame, StatsSample } from '../../client/wire.ts';
import type { ByPart } from '../../core/trial-parts.ts';
import type { SenderSample } from '../../server/control/protocol.ts';
import type { ProbeRecord } from '../../server/session/probe-log.ts';
import type { PacketRecord, SentFrameRecord, SkippedFrameRecord } from '../../server/session/recorder.ts';
import type { Bbr3Event, Bbr3Sample } from '../../shaper/bbr3/telemetry.ts';
import type { MediaQueueLine } from '../../shaper/queue-log/media-fates.ts';
import type { LinkStop } from '../../shaper/queue-log/stops.ts';
import type { QueueBin } from '../../shaper/queue-log/summary.ts';
import type { ByApplication, OfDirection } from './trial-file.ts';

/** frames.presented.jsonl: a frame that the browser presented. */
export type PresentedFrameRecord = PresentedFrame;

/** stats.jsonl: getStats, once a second. */
export type StatsRecord = StatsSample;

/** page.jsonl: the page's own punctuality, once a second. */
export type PageRecord = { timeMs: number; mainThreadDelayMaxMs: number; visible: boolean };

/** sender.jsonl: the media server's account of itself, once a second. Counters grow from the session's start. */
export type SenderRecord = SenderSample;

/** connection.jsonl: a call or an event of a connection that is in a browser, at the viewer or at a sender. */
export type ConnectionRecord = ConnectionEvent & { end: 'receiver' | 'sender' };

/** caller.jsonl: a sender that is a browser, once a second: its statistics and its page's punctuality. */
export type CallerRecord = CallerSample & Omit<PageRecord, 'timeMs'>;

/**
 * service.jsonl: a service's own account of what its user got. `transfer`, `video`, `element` and `page` come once a
 * second and count from the service's start; `batch`, `segment`, `stall` and `load` come when one has ended, with the
 * time it ended at.
 */
export type ServiceRecord = { timeMs: number } /** `receivedBytes`: of the transfer's content, at the client. */ & (
  | { kind: 'transfer'; receivedBytes: number; flows: number }
  /** Several chunks that were fetched together; of iperf, the whole transfer of one flow that has a size. */
  | { kind: 'batch'; number: number; durationMs: number; bytes: number }
  | (VideoProgress & { kind: 'video' })
  /** A part of the video. `rung`: from 0, the lowest; `firstByteMs`: from the request. */
  | {
      kind: 'segment';
      number: number;
      rung: number;
      rungBps: number;
      bytes: number;
      firstByteMs: number;
      durationMs: number;
    }
  | { kind: 'stall'; positionS: number; durationMs: number }
  | { kind: 'page'; loads: number; failedLoads: number; receivedBytes: number }
  | (PageLoad & { kind: 'load' })
  /** The largest video element of a page that is not ours. */
  | (Omit<VideoProgress, 'rung' | 'rungBps'> & { kind: 'element'; width: number; height: number })
);

type VideoProgress = {
  receivedBytes: number;
  positionS: number;
  /** How much more can be played without anything coming in. */
  bufferS: number;
  /** Of the frame that is shown; null before the first. */
  rung: number | null;
  rungBps: number | null;
  stalls: number;
  /** A stall that is not over counts as far as it goes. */
  stalledMs: number;
  presentedFrames: number;
  droppedFrames: number;
};

/** Times are from the start of the navigation. A page that did not load has null for what it did not come to. */
export type PageLoad = {
  number: number;
  /** The start of the navigation, on the clock of `timeMs`. Missing in records of older versions. */
  startMs?: number;
  /** It had not failed when the trial ended. */
  isCutOff?: true;
  /** Its load event. */
  loadMs: number | null;
  firstContentMs: number | null;
  /** When 95 % of what can be seen without scrolling had its final look. */
  aboveTheFoldMs: number | null;
  speedIndexMs: number | null;
  bytes: number;
};

/** frames.sent.jsonl */
export type SentFrameLine = SentFrameRecord | SkippedFrameRecord;
export type SkippedFrameLine = SkippedFrameRecord;

/** packets.jsonl */
export type PacketLine = PacketRecord;

/**
 * controller.jsonl: the controller's state after each feedback, and every 100 ms where none comes; the names are the
 * controller's own. Nothing is known of what is in flight where the receiver tells of no packets (REMB).
 */
export type ControllerRecord = { timeMs: number; inFlightBytes?: number } & Record<string, number | string>;

/** probes.jsonl: every probe that the controller asked for, written when nothing new can come of it. */
export type ProbeLine = ProbeRecord;

/**
 * rtt.jsonl: round trips seen by the media's own feedback. `feedback` ones contain the receiver's wait for its report.
 */
export type RoundTripRecord = { timeMs: number; rttMs: number; from: 'report' | 'feedback' };

/** ping.jsonl: ICMP round trips from server to client, by the time the request was sent; null when no answer came. */
export type PingRecord = { timeMs: number; sequence: number; rttMs: number | null };

/** tcp.jsonl: one data socket of a service, as `ss -tin` shows it on the end named. */
export type TcpRecord = {
  timeMs: number;
  end: 'sender' | 'receiver';
  /** Port of the end that connected: names the flow. */
  port: number;
  congestionControl: string;
  bytesSent?: number;
  bytesAcked?: number;
  bytesRetransmitted?: number;
  bytesReceived?: number;
  rttMs?: number;
  minRttMs?: number;
  congestionWindowPackets?: number;
  pacingBps?: number;
  deliveryBps?: number;
  /**
   * BBRv1's estimate of the bandwidth, of TCP payload; 0 before there is one. Missing of other congestion controls and
   * in records of older versions.
   */
  bandwidthBps?: number;
  lostPackets?: number;
  /**
   * How long the flow had data to send, and how long of that the receiver's window or its own send buffer held it back,
   * since it began. Left out while 0, and in records of older versions.
   */
  busyMs?: number;
  receiveWindowLimitedMs?: number;
  sendBufferLimitedMs?: number;
};

/**
 * bbr3.jsonl: the path model of a flow that uses BBRv3: samples ten times a second and every event. `port` is that of
 * the end that connected. An event that came before the first sample of its flow follows it.
 */
export type Bbr3Record = { port: number } & (
  | ({ kind: 'sample' } & Omit<
      Bbr3Sample,
      'socket' | 'version' | 'budget' | 'source' | 'sourcePort' | 'destination' | 'destinationPort' | 'ended'
    >)
  | ({ kind: 'event' } & Omit<Bbr3Event, 'socket'>)
);

/**
 * tunnel.jsonl: what one end of the application's tunnel tells of its connection and of the packets that it carries,
 * five times a second. Counters grow from the tunnel's start; null is what its stack does not tell.
 */
export type TunnelRecord = {
  timeMs: number;
  end: 'server' | 'client';
  /** Null where nothing limits it. */
  congestionWindowBytes: number | null;
  bytesInFlight: number;
  rttMs: number;
  minRttMs: number | null;
  pacingBps: number | null;
  bandwidthEstimateBps: number | null;
  /** What the other end acknowledged since the report before, bit/s. */
  deliveryBps: number | null;
  /** Of the UDP datagrams that it sent. */
  sentBytes: number;
  sentPackets: number;
  lostPackets: number;
  lostBytes: number;
  ackedBytes: number | null;
  receivedBytes: number;
  congestionEvents: number;
  /** Of those, what turned out to be none: the packet had come after all. */
  spuriousCongestionEvents: number;
  /** Frames with packets of the application; a stream that is sent again counts again. */
  datagramFramesSent: number;
  streamFramesSent: number;
  /** Payload that waits for its first transmission, or in stream mode for any. */
  queuedBytes: number;
  /** Packets of the application that came to this end, and their payload. */
  packetsIn: number;
  bytesIn: number;
  /** Of those, what did not enter the tunnel: too large for it, the send buffer full, no number for its flow. */
  tooLargePackets: number;
  droppedPackets: number;
  refusedPackets: number;
  /** Packets given to the application, their payload, and those that its socket did not take. */
  packetsOut: number;
  bytesOut: number;
  undeliveredPackets: number;
  /** What came through and is no packet of a flow that is known. */
  badFrames: number;
  /** Addresses that have sent to the client's end. */
  flows: number;
  /** Processor time of the program. */
  cpuMs: number | null;
};

/** queue.jsonl: the bottleneck's counters since the trial's start, once a second. */
export type QueueRecord = {
  timeMs: number;
  sentBytes: number;
  sentPackets: number;
  droppedPackets: number;
  backlogBytes: number;
  backlogPackets: number;
  lostPackets: number;
};

/** queue-delay.jsonl: what each sender and protocol met at the bottleneck, in stretches of 100 ms of the window. */
export type QueueDelayRecord = Omit<QueueBin, 'party'> & ByApplication;

/** link-stops.jsonl: each time that a bottleneck stood still although packets waited, from the log of every packet. */
export type LinkStopRecord = LinkStop & OfDirection;

/**
 * queue.media.jsonl: what became of every RTP packet of the media's sender at the bottleneck, over the whole trial,
 * from the log of every packet there; missing without one. A line holds up to 1000 packets as columns.
 */
export type MediaQueueRecord = MediaQueueLine;

/**
 * picture-quality.jsonl: for each period of the frame rate, the frame on the viewer's screen beside the one that should
 * have been there. Written after the study, where the service kept what it encoded (service.pictureQuality). PSNR and
 * SSIM are of the luma; a PSNR without any difference is 100.
 */
export type PictureQualityRecord = {
  timeMs: number;
  shownFrame: number;
  wantedFrame: number;
  psnrDb: number;
  ssim: number;
  vmaf: number | null;
};

/** picture-comparison.jsonl, one line: how that was done. */
export type PictureComparisonRecord = {
  /** What computed VMAF and by which model; null with the reason in `vmafMissing`. */
  vmaf: { program: string; model: string } | null;
  vmafMissing: string | null;
  /** Why nothing was compared; null where it was. */
  problem: string | null;
  /**
   * Different frames shown: those whose painted number is that of the clip's frame, those that still have an earlier
   * one's, and those where none can be read.
   */
  shownPictures: number;
  numbersRight: number;
  numbersOld: number;
  numbersUnread: number;
};

/**
 * host.jsonl: the machine, once a second. Ratios are of one core for `busyRatio` and `stealRatio` summed over `cores`.
 */
export type HostRecord = {
  timeMs: number;
  cores: number;
  /** Cores' worth of work, 0 to `cores`. */
  busyRatio: number;
  /** Cores' worth taken away by the hypervisor. */
  stealRatio: number;
  /** Longest time that a thread which only sleeps was woken late. */
  wakeUpDelayMaxMs: number;
  /** Longest time that the harness's own event loop was kept from its timers, by its own work as well. */
  harnessDelayMaxMs: number;
  /** Cores' worth of waiting: threads of each part that were ready and had no processor. Records of before have none. */
  waitRatio?: ByPart;
  /** How long the thread of each part that waited longest did so in that second. Records of before have none. */
  threadWaitMaxMs?: ByPart;
};
