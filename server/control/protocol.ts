/**
 * What harness and media server say to each other: JSON lines on the server's standard input and output.
 *
 * The server works for as long as its input is open, so it can never outlive whoever started it.
 */

import { object, z } from '../../core/schema/schema.ts';
import { clipFactsSchema } from '../../core/vocabulary/clip-facts.ts';
import { encoderNames } from '../media/encoder-names.ts';
import { degradations } from '../media/ladder.ts';

/** What the receiver tells a controller that goes by arrivals: transport-wide feedback, or that of RFC 8888. */
const feedbackSchema = z.enum(['transport-cc', 'ccfb']);

const streamSchema = object({
  frameRate: z.number(),
  startBps: z.number(),
  minBps: z.number(),
  maxBps: z.number(),
  controller: object({ id: z.string(), params: z.unknown() }),
  feedback: feedbackSchema,
  /** Packets of error correction per media packet; 0 for none. */
  protectionRatio: z.number(),
  /** What gives way where the rate does not suffice. */
  degradation: z.enum(degradations),
  /** Bounds for the receiver's playout delay; null leaves it to the receiver. */
  playoutDelay: object({ minMs: z.number(), maxMs: z.number() }).nullable(),
  /** Frames are skipped while the pacer's queue would take longer than this to drain. */
  pacerLimitMs: z.number(),
  /**
   * Unix ms at which the clip was at its first frame, whenever the stream begins; without it the stream begins with
   * that.
   */
  clipZeroMs: z.number().optional(),
});

export const commandSchema = z.discriminatedUnion('type', [
  object({
    type: z.literal('load'),
    clip: object({ path: z.string(), width: z.number(), height: z.number(), maxSeconds: z.number() }),
    encoder: object({ name: z.enum(encoderNames), preset: z.string().nullable(), threads: z.number() }),
    listen: object({ host: z.string(), port: z.number() }),
    /** Folder for temporary files; it exists. */
    scratch: z.string(),
  }),
  object({
    type: z.literal('open'),
    /** What the browser must show to be let in. */
    token: z.string(),
    stream: streamSchema,
    /** From when the browser is connected until the stream begins; 0 where it is not given. */
    settleMs: z.number().optional(),
    /** Folder for the raw series; it exists. Null: they are not kept. */
    recordDirectory: z.string().nullable(),
    /** The port for UDP; any where it is not given. */
    mediaPort: z.number().optional(),
    /** Keeps what is encoded beside the raw series. */
    keepVideo: z.boolean().optional(),
  }),
  object({ type: z.literal('close') }),
  object({ type: z.literal('clock') }),
]);

export type Command = z.output<typeof commandSchema>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type OpenCommand = Extract<Command, { type: 'open' }>;
export type StreamOptions = z.output<typeof streamSchema>;

/** The sender's own account of the last second. */
const senderSampleSchema = z.object({
  timeMs: z.number(),
  intervalMs: z.number(),
  /** CPU time of the process over the interval, 1 = one core. */
  cpuRatio: z.number(),
  /** Longest time the event loop was kept from its timers. */
  eventLoopDelayMaxMs: z.number(),
  framesEncoded: z.number(),
  framesSkippedLate: z.number(),
  framesSkippedPacer: z.number(),
  framesSkippedPushback: z.number(),
  /** Longest lateness of a frame against its schedule. */
  frameLatenessMaxMs: z.number(),
  encodeMaxMs: z.number(),
  keyFrames: z.number(),
  sentBytes: z.number(),
  sentPackets: z.number(),
  retransmissions: z.number(),
  protectionPackets: z.number(),
  nackedPackets: z.number(),
  pictureLossIndications: z.number(),
  fullIntraRequests: z.number(),
  malformedRtcp: z.number(),
  rateChanges: z.number(),
  targetBps: z.number(),
  encoderBps: z.number(),
  rttMs: z.number().nullable(),
  pacerQueueMaxMs: z.number(),
  residentBytes: z.number(),
});

export type SenderSample = z.output<typeof senderSampleSchema>;

export const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('loaded'),
    url: z.string(),
    clip: clipFactsSchema,
    encoder: z.object({ codec: z.string(), preset: z.string(), passedOver: z.array(z.string()) }),
    ffmpeg: z.string(),
  }),
  z.object({ type: z.literal('opened') }),
  z.object({ type: z.literal('connected'), timeMs: z.number(), feedback: z.enum([...feedbackSchema.options, 'remb']) }),
  z.object({ type: z.literal('sample'), sample: senderSampleSchema }),
  z.object({ type: z.literal('peer-gone'), state: z.string() }),
  z.object({ type: z.literal('closed') }),
  z.object({ type: z.literal('clock'), timeMs: z.number() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
]);

export type ServerEvent = z.output<typeof eventSchema>;
