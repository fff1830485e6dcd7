/**
 * Geometry of a clip's frames: cropping, rotation by the file's display matrix (phones record sideways) and pixels that
 * are not square. The picture is fitted into the stream's frame between black bars.
 *
 * The display matrix is defined in ISO/IEC 14496-12, 6.2.2. The filters that apply the matrix are those of
 * fftools/ffmpeg_filter.c in FFmpeg 8.1 (insert_filters by the angle of av_display_rotation_get).
 */
import { CoexistError } from '../../core/errors.ts';

export type Size = { width: number; height: number };
type Crop = { top: number; bottom: number; left: number; right: number };

export type FrameShape = Size & {
  crop: Crop | null;
  /** Filters that turn the frame upright; empty if the frame is upright. */
  turn: readonly string[];
  /** True if the filters in `turn` exchange width and height. */
  isSideways: boolean;
  /** Clockwise rotation of the picture in degrees, for messages and reports. */
  degrees: number;
  isMirrored: boolean;
  /** Ratio of a pixel's width to its height. */
  pixelAspect: number;
};

const int32Bytes = 4;
const matrixBytes = 9 * int32Bytes;

type Turn = Pick<FrameShape, 'turn' | 'isSideways' | 'degrees' | 'isMirrored'>;
const upright: Turn = { turn: [], isSideways: false, degrees: 0, isMirrored: false };

/**
 * Returns the rotation of a display matrix, which has 9 integers in the machine's byte order, in 16.16 and 2.30 fixed
 * point. Throws `bad-clip` for an angle that is not a multiple of 90 degrees.
 */
export function turnOf(matrix: Buffer | null): Turn {
  if (matrix === null || matrix.length < matrixBytes) return upright;
  const [a = 0, b = 0, , c = 0, d = 0] = Array.from({ length: 5 }, (_, k) => matrix.readInt32LE(k * int32Bytes));
  const [width, height] = [Math.hypot(a, c), Math.hypot(b, d)];
  if (width === 0 || height === 0) return upright; // a matrix with these zeros has no angle
  const degrees = (Math.round((Math.atan2(b / height, a / width) * 180) / Math.PI) + 360) % 360;
  const isMirrored = a * d - b * c < 0;
  switch (degrees) {
    case 0:
      return isMirrored ? { ...upright, turn: ['vflip'], isMirrored } : upright;
    case 90:
      return { turn: [`transpose=${isMirrored ? 'cclock_flip' : 'clock'}`], isSideways: true, degrees, isMirrored };
    case 180:
      return { ...upright, turn: [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])], degrees, isMirrored };
    case 270:
      return { turn: [`transpose=${isMirrored ? 'clock_flip' : 'cclock'}`], isSideways: true, degrees, isMirrored };
    default:
      throw new CoexistError('bad-clip', `it is to be shown turned by ${degrees} degrees, which is no quarter turn`);
  }
}

/**
 * Returns the cropping that a container states (FFmpeg's AV_PKT_DATA_FRAME_CROPPING: top, bottom, left, right); null if
 * nothing is cropped.
 */
export function cropOf(sides: Buffer | null): Crop | null {
  if (sides === null || sides.length < 4 * int32Bytes) return null;
  const [top, bottom, left, right] = [0, 1, 2, 3].map(k => sides.readUInt32LE(k * int32Bytes)) as [
    number,
    number,
    number,
    number,
  ];
  return top + bottom + left + right === 0 ? null : { top, bottom, left, right };
}

function cropped({ width, height, crop }: FrameShape): Size {
  if (crop === null) return { width, height };
  const size = { width: width - crop.left - crop.right, height: height - crop.top - crop.bottom };
  if (size.width < 1 || size.height < 1)
    throw new CoexistError('bad-clip', `it is to be cropped to ${size.width}x${size.height}`);
  return size;
}

/**
 * Returns the size of the upright picture with square pixels. Only the stored width is scaled. The stored height is
 * kept; if the frame is sideways, the stored height is the width of the upright picture.
 */
export function shownSize(shape: FrameShape): Size {
  const { width, height } = cropped(shape);
  const wide = Math.max(1, Math.round(width * shape.pixelAspect));
  return shape.isSideways ? { width: height, height: wide } : { width: wide, height };
}

const even = (pixels: number, most: number) => Math.min(most, Math.max(2, 2 * Math.round(pixels / 2)));

/** Returns size and position of the picture, in even numbers of pixels, in a frame of size `into` with even sides. */
export function placeIn(shape: FrameShape, into: Size): Size & { left: number; top: number } {
  const shown = shownSize(shape);
  const scale = Math.min(into.width / shown.width, into.height / shown.height);
  const width = even(shown.width * scale, into.width);
  const height = even(shown.height * scale, into.height);
  const middle = (room: number) => 2 * Math.floor(room / 4);
  return { width, height, left: middle(into.width - width), top: middle(into.height - height) };
}

/** Returns the filters that crop the frame before scaling. */
export function cropFilters(shape: FrameShape): string[] {
  const { crop } = shape;
  const { width, height } = cropped(shape);
  return crop === null ? [] : [`crop=${width}:${height}:${crop.left}:${crop.top}:exact=1`];
}
