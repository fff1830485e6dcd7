/**
 * Colours of a clip into those of the stream: BT.709 in limited range, which the encoder writes into the stream
 * (stream-colours.ts), so that the browser need not guess; or BT.601, for a reader that takes everything for that.
 *
 * What a file leaves open is taken as players do: limited range except for the formats that are full by definition, and
 * BT.709 from 1280 pixels of width or more than 576 rows on, else BT.601 (mpv, video/csputils.c:
 * mp_csp_guess_colorspace). Pictures of PQ or HLG (BT.2100) are tone-mapped to the range of a usual display.
 */
import type { AVColorPrimaries, AVColorRange, AVColorSpace, AVColorTransferCharacteristic } from 'node-av/constants';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';

export type FrameColours = {
  matrix: AVColorSpace;
  /** FFmpeg's and people's name of the matrix. */
  filterName: string;
  matrixName: string;
  isFull: boolean;
  primaries: AVColorPrimaries;
  transfer: 'sdr' | 'pq' | 'hlg';
  /** What the file does not say. */
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

/** FFmpeg's name for its scaler, and people's. */
const matrices = new Map<AVColorSpace, readonly [filterName: string, matrixName: string]>([
  [C.AVCOL_SPC_RGB, ['gbr', 'RGB']],
  [C.AVCOL_SPC_BT709, ['bt709', 'BT.709']],
  [C.AVCOL_SPC_FCC, ['fcc', 'FCC']],
  [C.AVCOL_SPC_BT470BG, ['bt601', 'BT.601']],
  [C.AVCOL_SPC_SMPTE170M, ['bt601', 'BT.601']],
  [C.AVCOL_SPC_SMPTE240M, ['smpte240m', 'SMPTE 240M']],
  [C.AVCOL_SPC_BT2020_NCL, ['bt2020', 'BT.2020']],
]);

/** `isRgb`, `isFullByFormat`: of its pixel format. Throws `bad-clip` for a matrix that nothing here can convert. */
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

/** Matrices that a stream may have. */
export const streamMatrices = ['bt709', 'bt601'] as const;
export type StreamMatrix = (typeof streamMatrices)[number];

/** Light of the white of a usual display by the unit that tone mapping counts in, cd/m2. */
const whiteNits = 100;

/** Filters that scale to a size and convert the colours; what comes out is 4:2:0 of 8 bits. */
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
