/**
 * A live H.264 encoder. It encodes each frame to one access unit, at a rate that may change between frames.
 *
 * Encoding runs on libuv's threads, so the event loop, which paces the packets, never waits for the encoder.
 */

import type { FFEncoderCodec } from 'node-av/constants';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import { frameRateFraction } from '../../core/text/frame-rate.ts';
import { emptyFrame, orThrow } from './av.ts';
import { setStreamColours } from './stream-colours.ts';

export type EncoderKind = {
  /** Name of the codec in FFmpeg. */
  codec: string;
  /** Speed preset that is used by default. */
  preset: string;
  /**
   * True if a change of rate makes a key frame. NVENC: FFmpeg resets the encoder and forces an IDR frame at every
   * change (libavcodec/nvenc.c, reconfig_encoder), so changes must be few. False for x264.
   */
  rateChangeMakesKeyFrame: boolean;
  options(preset: string): Record<string, string>;
};

type EncoderOptions = {
  width: number;
  height: number;
  /** Frames per second: a multiple of 1/1000, or a rate of film and television (such as 30000/1001). */
  frameRate: number;
  rateBps: number;
  /** Speed preset of the encoder; if undefined, the default of its kind. */
  preset?: string;
  threads?: number;
};

export type EncodedFrame = { data: Buffer; key: boolean };

/** Interface through which the sender uses an encoder. */
export interface FrameEncoder {
  readonly kind: EncoderKind;
  readonly rateBps: number;
  /** Sets the rate from the next frame on. See `kind.rateChangeMakesKeyFrame` for the cost of a change. */
  setRate(rateBps: number): void;
  /**
   * Encodes a frame, as a key frame (IDR) if `key` is true. Returns undefined if the encoder gives no output for this
   * frame.
   */
  encode(raw: av.Frame, key: boolean): Promise<EncodedFrame | undefined>;
  close(): void;
}

/**
 * Size of the rate control buffer, s: the time at the target rate that fills it. No frame is larger than the buffer.
 */
const bufferS = 0.25;
/** Length of the group of pictures: practically endless, so that key frames are made on request only. */
const endlessGop = 2 ** 30;

export class VideoEncoder implements FrameEncoder {
  readonly kind: EncoderKind;
  readonly #context: av.CodecContext;
  readonly #frame = emptyFrame();
  readonly #packet = new av.Packet();
  #pts = 0n;
  #rateBps = 0;
  #closed = false;

  private constructor(kind: EncoderKind, context: av.CodecContext) {
    this.kind = kind;
    this.#context = context;
    this.#packet.alloc();
  }

  /** Opens an encoder. Throws `no-encoder` if this kind does not work on this machine. */
  static async open(kind: EncoderKind, options: EncoderOptions): Promise<VideoEncoder> {
    const codec = av.Codec.findEncoderByName(kind.codec as FFEncoderCodec);
    if (codec === null) throw new CoexistError('no-encoder', `FFmpeg has no encoder ${kind.codec}`);
    const context = new av.CodecContext();
    context.allocContext3(codec);
    context.width = options.width;
    context.height = options.height;
    context.pixelFormat = C.AV_PIX_FMT_YUV420P;
    setStreamColours(context);
    const { num, den } = frameRateFraction(options.frameRate);
    context.timeBase = new av.Rational(den, num);
    context.framerate = new av.Rational(num, den);
    context.maxBFrames = 0;
    context.gopSize = endlessGop;
    context.threadCount = options.threads ?? 2;
    const encoder = new VideoEncoder(kind, context);
    encoder.setRate(options.rateBps);
    try {
      orThrow(
        await context.open2(codec, av.Dictionary.fromObject(kind.options(options.preset ?? kind.preset))),
        kind.codec,
        'no-encoder',
      );
    } catch (error) {
      encoder.close();
      throw error;
    }
    return encoder;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  setRate(rateBps: number): void {
    this.#rateBps = rateBps;
    this.#context.bitRate = BigInt(Math.round(rateBps));
    this.#context.rcMaxRate = BigInt(Math.round(rateBps));
    this.#context.rcBufferSize = Math.round(rateBps * bufferS);
  }

  async encode(raw: av.Frame, key: boolean): Promise<EncodedFrame | undefined> {
    const frame = this.#frame;
    orThrow(frame.ref(raw), 'frame', 'server-failed');
    frame.pts = this.#pts++;
    frame.pictType = key ? C.AV_PICTURE_TYPE_I : C.AV_PICTURE_TYPE_NONE;
    frame.keyFrame = key ? 1 : 0;
    try {
      orThrow(await this.#context.sendFrame(frame), this.kind.codec, 'server-failed');
    } finally {
      frame.unref();
    }
    let encoded: EncodedFrame | undefined;
    // FFmpeg encodes in sendFrame (libavcodec/encode.c), so this call takes no time and needs no thread.
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const data = this.#packet.data;
      const isKey = this.#packet.hasFlags(C.AV_PKT_FLAG_KEY);
      // An encoder without delay gives one packet per frame. Several packets would belong to one access unit.
      if (data !== null)
        encoded = {
          data: encoded === undefined ? Buffer.from(data) : Buffer.concat([encoded.data, data]),
          key: isKey || encoded?.key === true,
        };
      this.#packet.unref();
    }
    return encoded;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#context.freeContext();
    this.#frame.free();
    this.#packet.free();
  }
}
