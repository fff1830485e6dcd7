/** What a clip is and what was done to it so that it could be sent, as the decoder tells it: for record and report. */
import { z } from 'zod';
import { mostPieces } from './clip-pieces.ts';

const pixels = z.int().min(1).max(65_536);
const seconds = z.number().nonnegative().max(1e9);
const count = z.int().nonnegative().max(1e9);

/** Consecutive frames of one shape and one kind of colours. */
const pieceSchema = z.strictObject({
  /** Its first frame, s from the start. */
  fromS: seconds,
  /** As decoded. */
  width: pixels,
  height: pixels,
  /** Upright, with square pixels. */
  shownWidth: pixels,
  shownHeight: pixels,
  /** Clockwise. */
  degrees: z.int().min(0).max(359),
  isMirrored: z.boolean(),
  isCropped: z.boolean(),
  /** Width of a pixel by its height. */
  pixelAspect: z.number().positive().max(1e4),
  range: z.enum(['limited', 'full']),
  matrix: z.string().max(20),
  transfer: z.enum(['sdr', 'pq', 'hlg']),
  /** What the file does not say and players assume. */
  assumed: z.array(z.enum(['matrix', 'range'])).max(2),
  isInterlaced: z.boolean(),
});

export const clipFactsSchema = z.strictObject({
  /** Of the first frame, as decoded. */
  width: pixels,
  height: pixels,
  codec: z.string().max(100),
  /** Length of the file; null where it does not say. */
  fileSeconds: seconds.nullable(),
  /** Of the part that is used. */
  frames: count.min(1),
  seconds: z.number().positive().max(1e6),
  /** Frames per second; null where they are uneven. */
  frameRate: z.number().positive().max(1e6).nullable(),
  /** The shortest and the longest time from a frame to the next, s; null for a single frame. */
  intervals: z.strictObject({ leastS: seconds, mostS: seconds }).nullable(),
  /** How long the last frame would have lasted, had the clip not been ended there, s; null: it was not. */
  leftOutS: seconds.nullable(),
  /** Places where the file's times began anew. */
  breaks: count,
  /** Frames that the file has no time for. */
  untimed: count,
  /** Packets that could not be decoded, and were left out. */
  broken: count,
  /** Share of the time in which the picture stands still, in pieces of a second and more. */
  stillRatio: z.number().min(0).max(1),
  /** The first `mostPieces`. */
  pieces: z.array(pieceSchema).min(1).max(mostPieces),
});

export type ClipPiece = z.output<typeof pieceSchema>;
export type ClipFacts = z.output<typeof clipFactsSchema>;
