/**
 * Protocol between harness and media server: JSON lines on the server's standard input and output.
 *
 * The server ends when its standard input closes, so it cannot outlive the process that started it.
 */

import { object, z } from '../../core/schema/schema.ts';
import { clipFactsSchema } from '../../core/vocabulary/clip-facts.ts';
import { encoderNames } from '../media/encoder-names.ts';
import { degradations } from '../media/ladder.ts';

/** Feedback that reports arrival times: transport-wide feedback or RFC 8888. */
const feedbackSchema = z.enum(['transport-cc', 'ccfb']);

/** The voice that a session sends. */
const voiceSchema = object({
  /** Path of a WAV file; null for the synthesised voice. */
  clip: z.string().nullable(),
  bitrateBps: z.number(),
  /** In-band forward error correction of Opus. */
  fec: z.boolean(),
  /** Number of earlier frames that each packet repeats (RFC 2198); 0 sends plain Opus. */
  red: z.number(),
  /** Discontinuous transmission: nothing is sent in silence. */
  dtx: z.boolean(),
  frameMs: z.number(),
  /** True: the browser plays video and voice in sync. */
  sync: z.boolean(),
});

const streamSchema = object({
  frameRate: z.number(),
  startBps: z.number(),
  minBps: z.number(),
  maxBps: z.number(),
  controller: object({ id: z.string(), params: z.unknown() }),
  feedback: feedbackSchema,
  /** Error correction packets per media packet; 0 switches error correction off. */
  protectionRatio: z.number(),
  /** Property of the video that the sender reduces if the rate is too low: frame size, frame rate, or none. */
  degradation: z.enum(degradations),
  /** Bounds for the receiver's playout delay; null if the receiver chooses the delay. */
  playoutDelay: object({ minMs: z.number(), maxMs: z.number() }).nullable(),
  /** Longest time that the pacer's queue may need to drain. Frames are skipped while the queue needs more time. */
  pacerLimitMs: z.number(),
  /**
   * Unix time at which the clip's first frame is due, also if the stream starts at another time. If undefined, the
   * stream starts with the first frame.
   */
  clipZeroMs: z.number().optional(),
  /** Voice that is sent beside the video; undefined if there is none. */
  voice: voiceSchema.optional(),
});

export const commandSchema = z.discriminatedUnion('type', [
  object({
    type: z.literal('load'),
    clip: object({ path: z.string(), width: z.number(), height: z.number(), maxSeconds: z.number() }),
    encoder: object({ name: z.enum(encoderNames), preset: z.string().nullable(), threads: z.number() }),
    listen: object({ host: z.string(), port: z.number() }),
    /** Existing folder for temporary files. */
    scratch: z.string(),
  }),
  object({
    type: z.literal('open'),
    /** Token that the browser must present to connect. */
    token: z.string(),
    stream: streamSchema,
    /** Time from the browser's connection to the start of the stream; 0 by default. */
    settleMs: z.number().optional(),
    /** Existing folder for the raw series; null if no raw series are kept. */
    recordDirectory: z.string().nullable(),
    /** UDP port of the media; any free port if undefined. */
    mediaPort: z.number().optional(),
    /** True if the encoded video is kept together with the raw series. */
    keepVideo: z.boolean().optional(),
  }),
  /** Loads a voice in place of a clip. `clip`: path of a WAV file; null for the synthesised voice. */
  object({
    type: z.literal('load-voice'),
    clip: z.string().nullable(),
    listen: object({ host: z.string(), port: z.number() }),
  }),
  /** Opens a viewing of the voice that was loaded. `clip` of the voice has no effect. */
  object({
    type: z.literal('open-voice'),
    token: z.string(),
    voice: voiceSchema,
    settleMs: z.number(),
    recordDirectory: z.string().nullable(),
    mediaPort: z.number().optional(),
  }),
  /** Stops the media of the viewing, or goes on with them, while the connection lives. */
  object({ type: z.literal('pause'), isPaused: z.boolean() }),
  object({ type: z.literal('close') }),
  object({ type: z.literal('clock') }),
]);

export type Command = z.output<typeof commandSchema>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type LoadVoiceCommand = Extract<Command, { type: 'load-voice' }>;
export type OpenVoiceCommand = Extract<Command, { type: 'open-voice' }>;
export type OpenCommand = Extract<Command, { type: 'open' }>;
export type StreamOptions = z.output<typeof streamSchema>;
export type VoiceOptions = z.output<typeof voiceSchema>;

/** Measurements of the sending process over the last second. */
const senderSampleSchema = z.object({
  timeMs: z.number(),
  intervalMs: z.number(),
  /** CPU time of the process divided by the wall-clock time; 1 means one core. */
  cpuRatio: z.number(),
  /** Longest time by which a timer of the event loop was late. */
  eventLoopDelayMaxMs: z.number(),
  framesEncoded: z.number(),
  framesSkippedLate: z.number(),
  framesSkippedPacer: z.number(),
  framesSkippedPushback: z.number(),
  /** Longest time by which a frame was late for its due time. */
  frameLatenessMaxMs: z.number(),
  encodeMaxMs: z.number(),
  keyFrames: z.number(),
  sentBytes: z.number(),
  sentPackets: z.number(),
  retransmissions: z.number(),
  protectionPackets: z.number(),
  nackedPackets: z.number(),
  reportedEcn: z.exactOptional(z.object({ 'not-ect': z.number(), ect1: z.number(), ect0: z.number(), ce: z.number() })),
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
  z.object({ type: z.literal('voice-loaded'), url: z.string(), ffmpeg: z.string() }),
  z.object({ type: z.literal('opened') }),
  z.object({ type: z.literal('connected'), timeMs: z.number(), feedback: z.enum([...feedbackSchema.options, 'remb']) }),
  z.object({ type: z.literal('sample'), sample: senderSampleSchema }),
  z.object({ type: z.literal('peer-gone'), state: z.string() }),
  z.object({ type: z.literal('paused') }),
  z.object({ type: z.literal('closed') }),
  z.object({ type: z.literal('clock'), timeMs: z.number() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
]);

export type ServerEvent = z.output<typeof eventSchema>;
