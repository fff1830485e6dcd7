/** Clips like those of various programs and cameras, made by FFmpeg. */

import type { FFEncoderCodec } from 'node-av/constants';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { emptyFrame, orThrow } from '../../../../server/media/av.ts';

av.Log.setLevel(C.AV_LOG_QUIET);

type Yuv = readonly [y: number, u: number, v: number];

/** Frames of one encoder. */
type Part = {
  width?: number;
  height?: number;
  /** Display times of the frames, in units of `timeBase`. */
  times: readonly number[];
  /** Picture of a frame; a moving bright bar by default. */
  picture?: (number: number) => Yuv;
};

export type MadeClip = {
  parts: readonly Part[];
  codec?: string;
  /** FFmpeg's name of the container; chosen by the file's name by default. */
  container?: string;
  timeBase?: readonly [num: number, den: number];
  /** Frame rate declared in the file. */
  frameRate?: readonly [num: number, den: number];
  pixelFormat?: av.Frame['format'];
  pixelAspect?: readonly [num: number, den: number];
  colours?: { range?: number; matrix?: number; transfer?: number; primaries?: number };
  /** Display matrix of 9 numbers, as in a file. */
  displayMatrix?: readonly number[];
  /** Cropped pixels: top, bottom, left, right. */
  cropping?: readonly number[];
  isInterlaced?: boolean;
  encoder?: Record<string, string>;
};

const fixed = 65_536;
/** Returns the matrix that turns a picture clockwise by `degrees`. */
export function turnedBy(degrees: number): number[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos * fixed, sin * fixed, 0, -sin * fixed, cos * fixed, 0, 0, 0, 2 ** 30].map(Math.round);
}
export const mirrored = [-fixed, 0, 0, 0, fixed, 0, 0, 0, 2 ** 30];

/** A dark picture, brighter in its upper left quarter, with a bar that moves through its lower half. */
function paint(frame: av.Frame, number: number): void {
  const { width, height, linesize, data } = frame;
  for (let y = 0; y < height; y++) {
    const row = data![0]!.subarray(y * linesize[0]!, y * linesize[0]! + width);
    row.fill(60);
    if (y < height / 2) row.fill(200, 0, width / 2);
    else row.fill(140, (number * 8) % width, Math.min(width, ((number * 8) % width) + 16));
  }
  for (const k of [1, 2]) data![k]!.fill(128);
}

function fill(frame: av.Frame, colour: readonly number[]): void {
  for (const [k, value] of colour.entries()) data(frame, k).fill(value);
}
const data = (frame: av.Frame, k: number) => frame.data![k]!;

export async function makeClip(file: string, clip: MadeClip): Promise<string> {
  const { codec = 'libx264', timeBase: [num, den] = [1, 30], pixelFormat = C.AV_PIX_FMT_YUV420P } = clip;
  const output = new av.FormatContext();
  orThrow(output.allocOutputContext2(null, clip.container ?? null, file), file, 'cannot-write');
  const kind = av.Codec.findEncoderByName(codec as FFEncoderCodec)!;
  const stream = output.newStream(null);
  const timeBase = new av.Rational(num, den);
  const hasHeader = !['mpegts', 'h264', 'mpeg'].includes(clip.container ?? '');
  const packet = new av.Packet();
  packet.alloc();
  let isOpen = false;
  for (const { width = 160, height = 90, times, picture } of clip.parts) {
    const encoder = new av.CodecContext();
    encoder.allocContext3(kind);
    Object.assign(encoder, { width, height, pixelFormat, timeBase, gopSize: 12, maxBFrames: 0, threadCount: 1 });
    encoder.framerate = new av.Rational(...(clip.frameRate ?? ([den, num] as const)));
    const { range, matrix, transfer, primaries } = clip.colours ?? {};
    if (range !== undefined) encoder.colorRange = range as never;
    if (matrix !== undefined) encoder.colorSpace = matrix as never;
    if (transfer !== undefined) encoder.colorTrc = transfer as never;
    if (primaries !== undefined) encoder.colorPrimaries = primaries as never;
    if (clip.pixelAspect !== undefined) encoder.sampleAspectRatio = new av.Rational(...clip.pixelAspect);
    if (hasHeader) encoder.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER);
    if (clip.isInterlaced === true) encoder.setFlags(C.AV_CODEC_FLAG_INTERLACED_DCT, C.AV_CODEC_FLAG_INTERLACED_ME);
    const options = clip.encoder ?? (codec.startsWith('libx264') ? { preset: 'ultrafast', crf: '12' } : {});
    orThrow(await encoder.open2(kind, av.Dictionary.fromObject(options)), codec, 'no-encoder');
    if (!isOpen) {
      isOpen = true;
      orThrow(encoder.parametersFromContext(stream.codecpar), 'stream', 'cannot-write');
      stream.timeBase = timeBase;
      if (clip.frameRate !== undefined) stream.avgFrameRate = new av.Rational(...clip.frameRate);
      if (clip.pixelAspect !== undefined) stream.sampleAspectRatio = new av.Rational(...clip.pixelAspect);
      if (clip.displayMatrix !== undefined)
        stream.codecpar.addCodedSideData(
          C.AV_PKT_DATA_DISPLAYMATRIX,
          Buffer.from(Int32Array.from(clip.displayMatrix).buffer),
        );
      if (clip.cropping !== undefined)
        stream.codecpar.addCodedSideData(
          C.AV_PKT_DATA_FRAME_CROPPING,
          Buffer.from(Uint32Array.from(clip.cropping).buffer),
        );
      orThrow(await output.openOutput(), file, 'cannot-write');
      orThrow(await output.writeHeader(null), file, 'cannot-write');
    }
    const drain = async () => {
      while ((await encoder.receivePacket(packet)) >= 0) {
        packet.streamIndex = stream.index;
        packet.duration = 1n; // many programs write this duration, whatever the next time is
        packet.rescaleTs(timeBase, stream.timeBase);
        orThrow(await output.interleavedWriteFrame(packet), file, 'cannot-write');
      }
    };
    for (const [number, time] of times.entries()) {
      const frame = emptyFrame();
      Object.assign(frame, { width, height, format: pixelFormat });
      orThrow(frame.getBuffer(), 'frame', 'no-memory');
      if (picture === undefined) paint(frame, number);
      else fill(frame, picture(number));
      frame.pts = BigInt(time);
      if (clip.isInterlaced === true) frame.setFlags(C.AV_FRAME_FLAG_INTERLACED as never);
      orThrow(await encoder.sendFrame(frame), codec, 'no-encoder');
      frame.free();
      await drain();
    }
    await encoder.sendFrame(null);
    await drain();
    encoder.freeContext();
  }
  orThrow(await output.writeTrailer(), file, 'cannot-write');
  await output.closeOutput();
  packet.free();
  return file;
}
