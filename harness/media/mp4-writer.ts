/**
 * Writes frames to an MP4 file. The encoder is x264 with two threads and without B-frames, so that the same frames make
 * the same bytes.
 */

import type { FFEncoderCodec } from 'node-av/constants';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import { orThrow } from '../../server/media/av.ts';
import { setStreamColours } from '../../server/media/stream-colours.ts';

type Mp4Options = {
  width: number;
  height: number;
  frameRate: number;
  /** Number of frames from one key frame to the next. */
  keyInterval: number;
  /** Options of the encoder (`encoder`) and of the file format, in FFmpeg's terms. */
  encoder: Record<string, string>;
  format?: Record<string, string>;
  /**
   * True to write the colour description of a stream into the file. Without it, readers of the file choose a
   * description.
   */
  tellsColours?: boolean;
};

export class Mp4Writer {
  readonly #file: string;
  readonly #encoder: av.CodecContext;
  readonly #output: av.FormatContext;
  readonly #stream: av.Stream;
  readonly #packet = new av.Packet();

  private constructor(file: string, encoder: av.CodecContext, output: av.FormatContext, stream: av.Stream) {
    this.#file = file;
    this.#encoder = encoder;
    this.#output = output;
    this.#stream = stream;
    this.#packet.alloc();
  }

  static async open(
    file: string,
    { width, height, frameRate, keyInterval, encoder: encoderOptions, format, tellsColours }: Mp4Options,
  ): Promise<Mp4Writer> {
    const codec = av.Codec.findEncoderByName('libx264' as FFEncoderCodec);
    if (codec === null) throw new CoexistError('no-encoder', 'FFmpeg has no libx264');
    const encoder = new av.CodecContext();
    encoder.allocContext3(codec);
    encoder.width = width;
    encoder.height = height;
    encoder.pixelFormat = C.AV_PIX_FMT_YUV420P;
    if (tellsColours === true) setStreamColours(encoder);
    encoder.timeBase = new av.Rational(1, frameRate);
    encoder.framerate = new av.Rational(frameRate, 1);
    encoder.gopSize = keyInterval;
    encoder.maxBFrames = 0;
    encoder.threadCount = 2;
    const output = new av.FormatContext();
    orThrow(output.allocOutputContext2(null, 'mp4', file), file, 'cannot-write');
    encoder.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER);
    orThrow(await encoder.open2(codec, av.Dictionary.fromObject(encoderOptions)), 'libx264', 'no-encoder');
    const stream = output.newStream(null);
    orThrow(encoder.parametersFromContext(stream.codecpar), 'stream', 'cannot-write');
    stream.timeBase = encoder.timeBase;
    orThrow(await output.openOutput(), file, 'cannot-write');
    orThrow(
      await output.writeHeader(format === undefined ? null : av.Dictionary.fromObject(format)),
      file,
      'cannot-write',
    );
    return new Mp4Writer(file, encoder, output, stream);
  }

  /** Adds a frame. `number`: counted from 0. The caller keeps and frees the frame. */
  async write(frame: av.Frame, number: number): Promise<void> {
    frame.pts = BigInt(number);
    frame.pictType = C.AV_PICTURE_TYPE_NONE;
    orThrow(await this.#encoder.sendFrame(frame), 'libx264', 'no-encoder');
    await this.#drain();
  }

  /** Completes the file and frees the encoder. */
  async close(): Promise<void> {
    await this.#encoder.sendFrame(null);
    await this.#drain();
    orThrow(await this.#output.writeTrailer(), this.#file, 'cannot-write');
    await this.#output.closeOutput();
    this.#encoder.freeContext();
    this.#packet.free();
  }

  async #drain(): Promise<void> {
    const packet = this.#packet;
    while ((await this.#encoder.receivePacket(packet)) >= 0) {
      packet.streamIndex = this.#stream.index;
      packet.duration = 1n;
      packet.rescaleTs(this.#encoder.timeBase, this.#stream.timeBase);
      orThrow(await this.#output.interleavedWriteFrame(packet), this.#file, 'cannot-write');
    }
  }
}
