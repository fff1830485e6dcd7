/**
 * Converts the frames of a clip to the size and colours of the stream. Shape and colours may change within a clip. Each
 * part of the clip is turned upright and fitted between black bars by the shape of its frames.
 */

import * as C from 'node-av/constants';
import type * as av from 'node-av/lib';
import type { ClipPiece } from '../../core/vocabulary/clip-facts.ts';
import { mostPieces } from '../../core/vocabulary/clip-pieces.ts';
import { FilterSource } from './av.ts';
import type { ClipSource } from './clip-source.ts';
import { coloursOf, type FrameColours, type StreamMatrix, scaleFilters } from './frame-colours.ts';
import { cropFilters, cropOf, type FrameShape, placeIn, type Size, shownSize, turnOf } from './frame-shape.ts';

/**
 * Pixel formats by the start of their names: RGB formats (and palettes), and formats that have full range by
 * definition.
 */
const rgbName = /^(rgb|bgr|gbr|argb|abgr|0rgb|rgb0|0bgr|bgr0|x2rgb|x2bgr|pal8|mono)/;
const fullName = /^(yuvj|gray|mono)/;

type Kind = { shape: FrameShape; colours: FrameColours; format: av.Frame['format']; isInterlaced: boolean };

export class ClipScaler {
  readonly pieces: ClipPiece[] = [];
  readonly #into: Size;
  readonly #source: Pick<ClipSource, 'pixelAspect' | 'displayMatrix' | 'cropping'>;
  readonly #nameOf: (format: av.Frame['format']) => string;
  readonly #flags: string;
  readonly #matrix: StreamMatrix;
  #graph: FilterSource | undefined;
  #key = '';
  /** True after the first interlaced frame, because any later frame may be interlaced as well. */
  #isInterlaced = false;

  constructor(
    { matrix, ...into }: Size & { matrix: StreamMatrix },
    source: Pick<ClipSource, 'pixelAspect' | 'displayMatrix' | 'cropping'>,
    flags: string,
    nameOf: (format: av.Frame['format']) => string,
  ) {
    this.#into = into;
    this.#matrix = matrix;
    this.#source = source;
    this.#flags = flags;
    this.#nameOf = nameOf;
  }

  /**
   * Takes a frame that starts at `startS`; returns the frames that are finished, in display order. The caller frees the
   * returned frames.
   */
  async add(frame: av.Frame, startS: number): Promise<av.Frame[]> {
    const ready: av.Frame[] = [];
    const kind = this.#kindOf(frame);
    const { format, ...said } = kind;
    const key = JSON.stringify([format, said]);
    if (key !== this.#key) {
      ready.push(...(await this.end()));
      this.#graph = await this.#open(kind);
      this.#key = key;
      if (this.pieces.length < mostPieces) this.pieces.push(pieceOf(kind, startS));
    }
    // The filter graph was opened for these values.
    frame.colorSpace = kind.colours.matrix;
    frame.colorRange = kind.colours.isFull ? C.AVCOL_RANGE_JPEG : C.AVCOL_RANGE_MPEG;
    await this.#graph!.push(frame);
    ready.push(...(await this.#pull()));
    return ready;
  }

  /** Ends the stream; returns the frames that are still in the filter graph, because a deinterlacer looks ahead. */
  async end(): Promise<av.Frame[]> {
    if (this.#graph === undefined) return [];
    await this.#graph.push(null);
    const rest = await this.#pull();
    this.#graph.close();
    this.#graph = undefined;
    return rest;
  }

  async #pull(): Promise<av.Frame[]> {
    const frames: av.Frame[] = [];
    for (let frame = await this.#graph!.pull(); frame !== undefined; frame = await this.#graph!.pull())
      frames.push(frame);
    return frames;
  }

  #kindOf(frame: av.Frame): Kind {
    const { displayMatrix, cropping, pixelAspect } = this.#source;
    const { num, den } = frame.sampleAspectRatio;
    const name = this.#nameOf(frame.format);
    this.#isInterlaced ||= frame.hasFlags(C.AV_FRAME_FLAG_INTERLACED);
    return {
      shape: {
        width: frame.width,
        height: frame.height,
        crop: cropOf(cropping),
        ...turnOf(frame.getSideData(C.AV_FRAME_DATA_DISPLAYMATRIX) ?? displayMatrix),
        // The value of the container has priority over that of the codec (FFmpeg, av_guess_sample_aspect_ratio).
        pixelAspect: pixelAspect || (num > 0 && den > 0 ? num / den : 1),
      },
      colours: coloursOf(frame, rgbName.test(name), fullName.test(name)),
      format: frame.format,
      isInterlaced: this.#isInterlaced,
    };
  }

  #open({ shape, colours, format, isInterlaced }: Kind): Promise<FilterSource> {
    const { width, height, left, top } = placeIn(shape, this.#into);
    const scaled = shape.isSideways ? { width: height, height: width } : { width, height };
    const filters = [
      ...(isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
      ...cropFilters(shape),
      ...scaleFilters(colours, scaled, this.#flags, this.#matrix),
      ...shape.turn,
      `pad=${this.#into.width}:${this.#into.height}:${left}:${top}:black`,
      'setsar=1',
    ];
    return FilterSource.open(
      filters.join(','),
      `video_size=${shape.width}x${shape.height}:pix_fmt=${format}:time_base=1/90000:pixel_aspect=1/1:` +
        `colorspace=${colours.matrix}:range=${colours.isFull ? C.AVCOL_RANGE_JPEG : C.AVCOL_RANGE_MPEG}`,
    );
  }
}

function pieceOf({ shape, colours, isInterlaced }: Kind, fromS: number): ClipPiece {
  const shown = shownSize(shape);
  const { width, height, degrees, isMirrored, crop, pixelAspect } = shape;
  return {
    fromS,
    width,
    height,
    shownWidth: shown.width,
    shownHeight: shown.height,
    degrees,
    isMirrored,
    isCropped: crop !== null,
    pixelAspect,
    range: colours.isFull ? 'full' : 'limited',
    matrix: colours.matrixName,
    transfer: colours.transfer,
    assumed: colours.assumed,
    isInterlaced,
  };
}
