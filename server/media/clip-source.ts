/** Opens the video of a clip file and decodes it frame by frame in display order. */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import { emptyFrame, orThrow } from './av.ts';
import { fileDescriptor, mostPixels } from './decoder-main.ts';

/**
 * Containers accepted as a clip, by FFmpeg's names: containers whose video is complete in one file. Formats that name
 * other files or addresses (playlists, concat) are excluded, as are formats without video clips, since every demuxer
 * adds attack surface. (WAV is included to report that it has no video.)
 */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,ivf,mpegts,mpeg,flv,ogg,yuv4mpegpipe,h264,hevc,wav';
/** Containers in which times may jump by definition (some of the formats with libavformat's AVFMT_TS_DISCONT). */
const jumping = new Set(['mpegts', 'mpeg']);
/** FFmpeg's result for a container that is not accepted, -EINVAL (errno(3)). */
const invalidArgument = -22;
/** Largest share of packets that may be undecodable in an accepted clip. */
const mostBroken = 0.5;

type TimedFrame = {
  frame: av.Frame;
  /** Time of the frame in the file, s; null if the frame has no time. */
  timeS: number | null;
  /** Duration of the frame, s; 0 if unknown. */
  durationS: number;
};

const perSecond = ({ num, den }: { num: number; den: number }) => (den > 0 && num > 0 ? num / den : 0);

export class ClipSource {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  /** Length of the file in seconds; null if the container does not state it. */
  readonly fileSeconds: number | null;
  /** Average and base frame rate that the file declares, frames per second; 0 for a rate that is not declared. */
  readonly declared: { averageRate: number; baseRate: number };
  readonly mayJump: boolean;
  /** Pixel aspect ratio that the container states; 0 if it states none. */
  readonly pixelAspect: number;
  /** Rotation (as a display matrix) and cropping that the container states; null if it states none. */
  readonly displayMatrix: Buffer | null;
  readonly cropping: Buffer | null;
  /** Number of packets that could not be decoded. */
  broken = 0;
  #packets = 0;
  readonly #format: av.FormatContext;
  readonly #decoder: av.CodecContext;
  readonly #stream: av.Stream;

  private constructor(format: av.FormatContext, decoder: av.CodecContext, stream: av.Stream, codec: string) {
    this.#format = format;
    this.#decoder = decoder;
    this.#stream = stream;
    const { width, height } = stream.codecpar;
    this.width = width;
    this.height = height;
    this.codec = codec;
    this.fileSeconds = format.duration > 0n ? Number(format.duration) / 1e6 : null;
    this.declared = { averageRate: perSecond(stream.avgFrameRate), baseRate: perSecond(stream.rFrameRate) };
    this.mayJump = jumping.has(format.iformat?.name ?? '');
    this.pixelAspect = perSecond(stream.sampleAspectRatio);
    this.displayMatrix = stream.codecpar.getCodedSideData(C.AV_PKT_DATA_DISPLAYMATRIX);
    this.cropping = stream.codecpar.getCodedSideData(C.AV_PKT_DATA_FRAME_CROPPING);
  }

  static async open(): Promise<ClipSource> {
    const format = new av.FormatContext();
    const opened = await format.openInput(
      'fd:',
      null,
      av.Dictionary.fromObject({
        fd: String(fileDescriptor),
        format_whitelist: containers,
        protocol_whitelist: 'fd',
      }),
    );
    if (opened === invalidArgument || opened === C.AVERROR_INVALIDDATA)
      throw new CoexistError(
        'bad-clip',
        'it is no MP4, MOV, Matroska, WebM, AVI, IVF, MPEG, FLV, Ogg, Y4M, H.264 or HEVC file, or it is broken',
      );
    orThrow(opened, 'open', 'bad-clip');
    orThrow(await format.findStreamInfo(null), 'read', 'bad-clip');
    const index = format.findBestStream(C.AVMEDIA_TYPE_VIDEO);
    const stream = index < 0 ? undefined : format.streams[index];
    if (stream === undefined) throw new CoexistError('bad-clip', 'it has no video');
    const { width, height } = stream.codecpar;
    if (width * height > mostPixels)
      throw new CoexistError('bad-clip', `its frames of ${width}x${height} are larger than 8K`);
    if (!(width > 0) || !(height > 0)) throw new CoexistError('bad-clip', 'the size of its frames is unknown');
    const codec = av.Codec.findDecoder(stream.codecpar.codecId);
    if (codec === null) throw new CoexistError('bad-clip', 'there is no decoder for its codec');
    const decoder = new av.CodecContext();
    decoder.allocContext3(codec);
    decoder.parametersToContext(stream.codecpar);
    decoder.pktTimebase = stream.timeBase;
    decoder.threadCount = 2;
    orThrow(await decoder.open2(codec, av.Dictionary.fromObject({ max_pixels: mostPixels })), 'decoder', 'bad-clip');
    return new ClipSource(format, decoder, stream, codec.name ?? 'unknown');
  }

  /**
   * Decodes all frames and passes them to `onFrame`, until `onFrame` returns false. `onFrame` frees the frames.
   * Undecodable packets are skipped, as in players. Returns true if the end of the file was reached. Throws `bad-clip`
   * if too many packets are undecodable.
   */
  async frames(onFrame: (frame: TimedFrame) => Promise<boolean>): Promise<boolean> {
    const packet = new av.Packet();
    packet.alloc();
    while ((await this.#format.readFrame(packet)) >= 0) {
      if (packet.streamIndex === this.#stream.index) {
        this.#packets++;
        if ((await this.#decoder.sendPacket(packet)) < 0) this.broken++;
        if (!(await this.#drain(onFrame))) return false;
      }
      packet.unref();
    }
    await this.#decoder.sendPacket(null);
    if (!(await this.#drain(onFrame))) return false;
    if (this.broken > this.#packets * mostBroken)
      throw new CoexistError('bad-clip', `${this.broken} of its ${this.#packets} packets cannot be decoded`);
    return true;
  }

  async #drain(onFrame: (frame: TimedFrame) => Promise<boolean>): Promise<boolean> {
    for (;;) {
      const frame = emptyFrame();
      const result = await this.#decoder.receiveFrame(frame);
      if (result < 0) {
        frame.free();
        if (result === C.AVERROR_EAGAIN || result === C.AVERROR_EOF) return true;
        this.broken++; // a decoder with threads reports the error of a packet here
        continue;
      }
      const { bestEffortTimestamp: time, duration } = frame;
      const tick = 1 / perSecond({ num: this.#stream.timeBase.den, den: this.#stream.timeBase.num });
      const timed = {
        frame,
        timeS: time === C.AV_NOPTS_VALUE ? null : Number(time) * tick,
        durationS: duration > 0n ? Number(duration) * tick : 0,
      };
      if (!(await onFrame(timed))) return false;
    }
  }
}
