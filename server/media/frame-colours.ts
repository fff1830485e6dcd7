/**
 * Converts the colours of a clip to BT.709 in limited range, or to BT.601 for readers that assume BT.601. The encoder
 * signals BT.709 in the stream (stream-colours.ts), so that the browser need not guess.
 *
 * For values that a file does not declare, the assumptions are those of players: limited range, except for formats with
 * full range by definition; BT.709 for 1280 or more columns or more than 576 rows, else BT.601 (mpv, video/csputils.c:
 * mp_csp_guess_colorspace). Pictures in PQ or HLG (BT.2100) are tone-mapped to standard dynamic range.
 */
import type { AVColorPrimaries, AVColorRange, AVColorSpace, AVColorTransferCharacteristic } from 'node-av/constants';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';

export type FrameColours = {
  matrix: AVColorSpace;
  /** Name of the colour matrix in FFmpeg's scaler, and usual name of the matrix. */
  filterName: string;
  matrixName: string;
  isFull: boolean;
  primaries: AVColorPrimaries;
  transfer: 'sdr' | 'pq' | 'hlg';
  /** Values that the file does not declare, so that they are assumed. */
  assumed: ('matrix' | 'range')[];
};

type Frame = {
  width: number;
  height: number;
  colorSpace: AVColorSpace;
  colorRange: AVColorRange;
  colorPrimaries: AVColorPrimaries;
  colorTrc: AVColorTransferCharacteristic;
};

/** For each colour matrix: its name in FFmpeg's scaler, and its usual name. */
const matrices = new Map<AVColorSpace, readonly [filterName: string, matrixName: string]>([
  [C.AVCOL_SPC_RGB, ['gbr', 'RGB']],
  [C.AVCOL_SPC_BT709, ['bt709', 'BT.709']],
  [C.AVCOL_SPC_FCC, ['fcc', 'FCC']],
  [C.AVCOL_SPC_BT470BG, ['bt601', 'BT.601']],
  [C.AVCOL_SPC_SMPTE170M, ['bt601', 'BT.601']],
  [C.AVCOL_SPC_SMPTE240M, ['smpte240m', 'SMPTE 240M']],
  [C.AVCOL_SPC_BT2020_NCL, ['bt2020', 'BT.2020']],
]);

/**
 * Returns the colours of a frame. `isRgb`, `isFullByFormat`: properties of the frame's pixel format. Throws `bad-clip`
 * for a colour matrix that cannot be converted.
 */
export function coloursOf(frame: Frame, isRgb: boolean, isFullByFormat: boolean): FrameColours {
  const { colorSpace, colorRange, width, height } = frame;
  const isMatrixOpen =
    !isRgb &&
    (colorSpace === C.AVCOL_SPC_UNSPECIFIED || colorSpace === C.AVCOL_SPC_RESERVED || colorSpace === C.AVCOL_SPC_RGB);
  const guessed = width >= 1280 || height > 576 ? C.AVCOL_SPC_BT709 : C.AVCOL_SPC_SMPTE170M;
  const matrix = isRgb ? C.AVCOL_SPC_RGB : isMatrixOpen ? guessed : colorSpace;
  const names = matrices.get(matrix);
  if (names === undefined)
    throw new CoexistError(
      'bad-clip',
      `its colours are of a kind (matrix ${matrix} of ITU-T H.273) that cannot be shown`,
    );
  const isRangeOpen = colorRange === C.AVCOL_RANGE_UNSPECIFIED && !isRgb && !isFullByFormat;
  return {
    matrix,
    filterName: names[0],
    matrixName: names[1],
    isFull:
      colorRange === C.AVCOL_RANGE_JPEG || (colorRange === C.AVCOL_RANGE_UNSPECIFIED && (isRgb || isFullByFormat)),
    primaries: frame.colorPrimaries,
    transfer:
      frame.colorTrc === C.AVCOL_TRC_SMPTE2084 ? 'pq' : frame.colorTrc === C.AVCOL_TRC_ARIB_STD_B67 ? 'hlg' : 'sdr',
    assumed: [...(isMatrixOpen ? (['matrix'] as const) : []), ...(isRangeOpen ? (['range'] as const) : [])],
  };
}

/** Colour matrices that a stream may have. */
export const streamMatrices = ['bt709', 'bt601'] as const;
export type StreamMatrix = (typeof streamMatrices)[number];

/** Luminance of white on a standard display, cd/m2. It is the unit of tone mapping. */
const whiteNits = 100;

/** Returns the filters that scale to a size and convert the colours. Their output is 4:2:0 with 8 bits. */
export function scaleFilters(
  colours: FrameColours,
  { width, height }: { width: number; height: number },
  flags: string,
  into: StreamMatrix,
): string[] {
  const { filterName, isFull, transfer } = colours;
  if (transfer === 'sdr') {
    const from = filterName === 'gbr' ? '' : `:in_color_matrix=${filterName}`;
    const range = `in_range=${isFull ? 'full' : 'limited'}:out_range=limited`;
    return [`scale=${width}:${height}:flags=${flags}${from}:out_color_matrix=${into}:${range}`, 'format=yuv420p'];
  }
  const source =
    `matrixin=${filterName === 'gbr' ? 'gbr' : '2020_ncl'}:rangein=${isFull ? 'full' : 'limited'}:primariesin=2020:` +
    `transferin=${transfer === 'pq' ? 'smpte2084' : 'arib-std-b67'}`;
  return [
    `zscale=w=${width}:h=${height}:${source}:transfer=linear:npl=${whiteNits}`,
    'format=gbrpf32le',
    'zscale=primaries=709',
    'tonemap=tonemap=hable:desat=0',
    `zscale=transfer=709:matrix=${into === 'bt709' ? '709' : '170m'}:range=limited`,
    'format=yuv420p',
  ];
}
