/**
 * Schema of the facts about a clip and its conversion, which the decoder reports. The record and the report use them.
 */
import { z } from 'zod';
import { mostPieces } from './clip-pieces.ts';

const pixels = z.int().min(1).max(65_536);
const seconds = z.number().nonnegative().max(1e9);
const count = z.int().nonnegative().max(1e9);

/** Piece of a clip: consecutive frames with the same shape and the same colour properties. */
const pieceSchema = z.strictObject({
  /** Time of the first frame of the piece, s from the start of the clip. */
  fromS: seconds,
  /** Width and height of the decoded picture, pixels. */
  width: pixels,
  height: pixels,
  /** Width and height of the picture after rotation and with square pixels. */
  shownWidth: pixels,
  shownHeight: pixels,
  /** Rotation that the file asks for, degrees clockwise. */
  degrees: z.int().min(0).max(359),
  isMirrored: z.boolean(),
  isCropped: z.boolean(),
  /** Width of a pixel divided by its height. */
  pixelAspect: z.number().positive().max(1e4),
  range: z.enum(['limited', 'full']),
  matrix: z.string().max(20),
  transfer: z.enum(['sdr', 'pq', 'hlg']),
  /** Properties that the file does not state, so that players assume a value. */
  assumed: z.array(z.enum(['matrix', 'range'])).max(2),
  isInterlaced: z.boolean(),
});

export const clipFactsSchema = z.strictObject({
  /** Width and height of the first decoded frame, pixels. */
  width: pixels,
  height: pixels,
  codec: z.string().max(100),
  /** Length of the whole file, s. Null if the file does not state it. */
  fileSeconds: seconds.nullable(),
  /** Number of frames in the used part of the file. `seconds`: length of the used part. */
  frames: count.min(1),
  seconds: z.number().positive().max(1e6),
  /** Frames per second. Null if the frames are not evenly spaced. */
  frameRate: z.number().positive().max(1e6).nullable(),
  /** Shortest and longest time between two consecutive frames, s. Null if there is only one frame. */
  intervals: z.strictObject({ leastS: seconds, mostS: seconds }).nullable(),
  /**
   * Part of the last frame's duration that was cut off because the clip was ended early, s. Null if the clip was not
   * ended early.
   */
  leftOutS: seconds.nullable(),
  /** Number of places in the file at which the timestamps start again. */
  breaks: count,
  /** Number of frames that have no timestamp in the file. */
  untimed: count,
  /** Number of packets of the file that could not be decoded. They were left out. */
  broken: count,
  /** Share of the time for which the picture does not move, 0 to 1. Only still periods of at least one second count. */
  stillRatio: z.number().min(0).max(1),
  /** Pieces of the clip, from its start. At most `mostPieces`; later ones are left out. */
  pieces: z.array(pieceSchema).min(1).max(mostPieces),
});

export type ClipPiece = z.output<typeof pieceSchema>;
export type ClipFacts = z.output<typeof clipFactsSchema>;
