/** What a usual clip is: half a second of 60 fps in high definition. */
import type { ClipFacts, ClipPiece } from '../../../../core/vocabulary/clip-facts.ts';

export const clipPiece = (change: Partial<ClipPiece> = {}): ClipPiece => ({
  fromS: 0,
  width: 1280,
  height: 720,
  shownWidth: 1280,
  shownHeight: 720,
  degrees: 0,
  isMirrored: false,
  isCropped: false,
  pixelAspect: 1,
  range: 'limited',
  matrix: 'BT.709',
  transfer: 'sdr',
  assumed: [],
  isInterlaced: false,
  ...change,
});

export const clipFacts = (change: Partial<ClipFacts> = {}): ClipFacts => ({
  width: 1280,
  height: 720,
  codec: 'h264',
  fileSeconds: 0.5,
  frames: 30,
  seconds: 0.5,
  frameRate: 60,
  intervals: { leastS: 1 / 60, mostS: 1 / 60 },
  leftOutS: null,
  breaks: 0,
  untimed: 0,
  broken: 0,
  stillRatio: 0,
  pieces: [clipPiece()],
  ...change,
});
