/** Describes a clip, its conversion and its flaws in words, for the dry run and the report. */

import { counted } from '../text/counted.ts';
import { formatFrameRate } from '../text/frame-rate.ts';
import type { ClipFacts, ClipPiece } from './clip-facts.ts';

/** Largest share of the time without motion for which the clip gets no note. */
const mostStill = 0.5;
const equalAspect = 1e-3;

const lengthWords = (s: number) => `${s < 0.1 ? s.toFixed(3) : s < 100 ? s.toFixed(2) : s.toFixed(0)} s`;
const size = (width: number, height: number) => `${width}\u00d7${height}`;
const unique = (words: readonly string[]) => [...new Set(words)];

function rateWords({ frameRate, frames, seconds, intervals }: ClipFacts): string {
  if (intervals === null) return 'one frame';
  if (frameRate !== null) return `${formatFrameRate(frameRate)} fps`;
  const [least, most] = [1 / intervals.mostS, 1 / intervals.leastS].map(rate => Number(rate.toPrecision(3)));
  return `uneven frames, ${least} to ${most} fps (${Number((frames / seconds).toPrecision(3))} on average)`;
}

function colourWords({ range, matrix, transfer, assumed }: ClipPiece): string {
  const open = assumed.length === 0 ? '' : ` (${assumed.join(' and ')} assumed)`;
  return `${matrix}${transfer === 'sdr' ? '' : ` ${transfer.toUpperCase()}`} in ${range} range${open}`;
}

/** Returns a clip in words: "h264, 640x360, 30 fps, 2.00 s of 3600 s, BT.601 in limited range". */
export function clipWords(facts: ClipFacts): string {
  const { codec, pieces, seconds, fileSeconds } = facts;
  const isPart = fileSeconds !== null && fileSeconds > seconds + 0.05;
  return [
    codec,
    unique(pieces.map(({ width, height }) => size(width, height))).join(', then '),
    rateWords(facts),
    `${lengthWords(seconds)}${isPart ? ` of ${lengthWords(fileSeconds)}` : ''}`,
    unique(pieces.map(colourWords)).join(', then '),
  ].join(', ');
}

function shapeChanges(piece: ClipPiece): string[] {
  const { degrees, isMirrored, isCropped, pixelAspect, shownWidth, shownHeight } = piece;
  return [
    ...(degrees !== 0 || isMirrored
      ? [`turned as the file asks (${degrees}\u00b0${isMirrored ? ', mirrored' : ''})`]
      : []),
    ...(isCropped ? ['cropped as the file asks'] : []),
    ...(Math.abs(pixelAspect - 1) > equalAspect
      ? [
          `made ${size(shownWidth, shownHeight)}: its pixels are ${Number(pixelAspect.toFixed(3))} times as wide as high`,
        ]
      : []),
  ];
}

type Stream = { width: number; height: number; frameRate: number };

function fitWords(piece: ClipPiece, { width, height }: Stream): string[] {
  const { shownWidth, shownHeight } = piece;
  if (shownWidth === width && shownHeight === height) return [];
  const bars =
    Math.abs(shownWidth * height - shownHeight * width) <= Math.max(shownHeight, shownWidth) * 2
      ? ''
      : shownWidth * height < shownHeight * width
        ? ', bars left and right'
        : ', bars above and below';
  return [`scaled to ${size(width, height)}${bars}`];
}

function colourChanges({ range, matrix, transfer, isInterlaced }: ClipPiece): string[] {
  return [
    ...(isInterlaced ? ['deinterlaced'] : []),
    ...(transfer === 'sdr' ? [] : ['tone-mapped to a usual display']),
    ...(range === 'full' ? ['full range made limited'] : []),
    ...(matrix === 'BT.709' ? [] : [`${matrix} made BT.709`]),
  ];
}

/** Returns the conversions from clip to stream in words, in the order in which they were applied. */
export function clipChanges(facts: ClipFacts, stream: Stream): string[] {
  const { pieces, frameRate, frames, breaks, untimed, broken, leftOutS } = facts;
  const isResampled =
    frames > 1 && (frameRate === null || Math.abs(frameRate - stream.frameRate) > 1e-3 * stream.frameRate);
  return [
    ...(broken === 0 ? [] : [`${counted(broken, 'broken packet')} left out`]),
    ...(breaks === 0 ? [] : [`times joined where they begin anew (${counted(breaks, 'place')})`]),
    ...(untimed === 0 ? [] : [`times made up for ${counted(untimed, 'frame')} that the file has none for`]),
    ...(leftOutS === null ? [] : [`ended before a frame that comes ${lengthWords(leftOutS)} after the one before it`]),
    ...unique(pieces.flatMap(piece => [...shapeChanges(piece), ...colourChanges(piece), ...fitWords(piece, stream)])),
    ...(isResampled ? [`resampled to ${formatFrameRate(stream.frameRate)} fps`] : []),
  ];
}

/** Returns a sentence for each reason why the clip is badly suited for a measurement. */
export function clipNotes({ stillRatio, frames }: Pick<ClipFacts, 'stillRatio' | 'frames'>): string[] {
  if (frames === 1) return ['the clip is a single frame: it needs almost no rate, and no stall can be seen in it'];
  if (stillRatio <= mostStill) return [];
  return [
    `the clip stands still ${Math.round(stillRatio * 100)} % of the time: it needs little rate then, and no stall can ` +
      'be seen there',
  ];
}
