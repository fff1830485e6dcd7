/** Facts about a clip and its conversion, as the decoder reports them. The record and the report use them. */
import { z } from 'zod';
import { mostPieces } from './clip-pieces.ts';

const pixels = z.int().min(1).max(65_536);
const seconds = z.number().nonnegative().max(1e9);
const count = z.int().nonnegative().max(1e9);

/** Consecutive frames of one shape and one kind of colours. */
const pieceSchema = z.strictObject({
  /** Time of its first frame, s from the start of the clip. */
  fromS: seconds,
  /** Size as decoded. */
  width: pixels,
  height: pixels,
  /** Size after rotation and with square pixels. */
  shownWidth: pixels,
  shownHeight: pixels,
  /** Rotation that the file asks for, clockwise. */
  degrees: z.int().min(0).max(359),
  isMirrored: z.boolean(),
  isCropped: z.boolean(),
  /** Width of a pixel by its height. */
  pixelAspect: z.number().positive().max(1e4),
  range: z.enum(['limited', 'full']),
  matrix: z.string().max(20),
  transfer: z.enum(['sdr', 'pq', 'hlg']),
  /** Properties that the file does not state; players assume a value. */
  assumed: z.array(z.enum(['matrix', 'range'])).max(2),
  isInterlaced: z.boolean(),
});

export const clipFactsSchema = z.strictObject({
  /** Size of the first frame as decoded. */
  width: pixels,
  height: pixels,
  codec: z.string().max(100),
  /** Length of the file, s. Null if the file does not state it. */
  fileSeconds: seconds.nullable(),
  /** Frames and length of the part that is used. */
  frames: count.min(1),
  seconds: z.number().positive().max(1e6),
  /** Frames per second. Null if the frames are unevenly spaced. */
  frameRate: z.number().positive().max(1e6).nullable(),
  /** Shortest and longest time between two frames, s. Null for a single frame. */
  intervals: z.strictObject({ leastS: seconds, mostS: seconds }).nullable(),
  /** Duration that was cut off the last frame, s. Null if the clip was not ended early. */
  leftOutS: seconds.nullable(),
  /** Number of places at which the file's timestamps start again. */
  breaks: count,
  /** Number of frames without a timestamp in the file. */
  untimed: count,
  /** Number of packets that could not be decoded and were left out. */
  broken: count,
  /** Share of the time in which the picture stands still. Only still periods of at least one second count. */
  stillRatio: z.number().min(0).max(1),
  /** At most `mostPieces` pieces, from the start of the clip. */
  pieces: z.array(pieceSchema).min(1).max(mostPieces),
});

export type ClipPiece = z.output<typeof pieceSchema>;
export type ClipFacts = z.output<typeof clipFactsSchema>;
