/** Encodes voice with Opus (RFC 6716) by the libopus of FFmpeg, one packet per frame. */
import type { FFEncoderCodec } from 'node-av/constants';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../../core/errors.ts';
import { voiceRateHz } from '../../../core/vocabulary/voice.ts';
import { emptyFrame, orThrow } from '../av.ts';

export type VoiceEncoderOptions = {
  bitrateBps: number;
  /** Length of a frame, ms: 10, 20, 40 or 60. */
  frameMs: number;
  /** True: each packet has a coarse copy of the frame before it, in-band FEC (RFC 6716, section 2.1.7). */
  fec: boolean;
  /** True: nothing is sent in silence (discontinuous transmission). */
  dtx: boolean;
};

/**
 * Loss that the encoder expects, %, if it adds in-band FEC: it adds none for 0. Chromium gives its encoder the
 * loss that the receiver reports; here the value is fixed, so that the rate does not change.
 */
const expectedLossPercent = 10;
/** Largest packet that stands for silence, bytes; such packets are not sent (RFC 7587, section 3.1.3). */
const silenceBytes = 2;

export class VoiceEncoder {
  /** Number of samples of a frame. */
  readonly frameSamples: number;
  readonly #context: av.CodecContext;
  readonly #frame = emptyFrame();
  readonly #packet = new av.Packet();
  #pts = 0n;

  private constructor(context: av.CodecContext, frameSamples: number) {
    this.#context = context;
    this.frameSamples = frameSamples;
    this.#packet.alloc();
    const frame = this.#frame;
    frame.format = C.AV_SAMPLE_FMT_S16;
    frame.nbSamples = frameSamples;
    frame.sampleRate = voiceRateHz;
    frame.channelLayout = C.AV_CHANNEL_LAYOUT_MONO;
  }

  /** Opens an encoder. Throws `no-encoder` if FFmpeg has no libopus. */
  static async open({ bitrateBps, frameMs, fec, dtx }: VoiceEncoderOptions): Promise<VoiceEncoder> {
    const codec = av.Codec.findEncoderByName('libopus' as FFEncoderCodec);
    if (codec === null) throw new CoexistError('no-encoder', 'FFmpeg has no encoder libopus');
    const context = new av.CodecContext();
    context.allocContext3(codec);
    context.sampleFormat = C.AV_SAMPLE_FMT_S16;
    context.sampleRate = voiceRateHz;
    context.channelLayout = C.AV_CHANNEL_LAYOUT_MONO;
    context.timeBase = new av.Rational(1, voiceRateHz);
    context.bitRate = BigInt(Math.round(bitrateBps));
    const encoder = new VoiceEncoder(context, (frameMs * voiceRateHz) / 1000);
    const options = {
      application: 'voip',
      frame_duration: String(frameMs),
      vbr: 'constrained',
      dtx: dtx ? '1' : '0',
      fec: fec ? '1' : '0',
      packet_loss: String(fec ? expectedLossPercent : 0),
    };
    try {
      orThrow(await context.open2(codec, av.Dictionary.fromObject(options)), 'libopus', 'no-encoder');
      orThrow(encoder.#frame.getBuffer(), 'frame of voice', 'server-failed');
    } catch (error) {
      encoder.close();
      throw error;
    }
    return encoder;
  }

  /** Encodes `frameSamples` samples. Returns undefined if nothing is to be sent, because of silence. */
  async encode(samples: Int16Array): Promise<Buffer | undefined> {
    orThrow(this.#frame.makeWritable(), 'frame of voice', 'server-failed');
    Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).copy(this.#frame.data![0]!);
    this.#frame.pts = this.#pts;
    this.#pts += BigInt(this.frameSamples);
    orThrow(await this.#context.sendFrame(this.#frame), 'libopus', 'server-failed');
    let encoded: Buffer | undefined;
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      if (this.#packet.data !== null) encoded = Buffer.from(this.#packet.data);
      this.#packet.unref();
    }
    return encoded === undefined || encoded.length <= silenceBytes ? undefined : encoded;
  }

  close(): void {
    this.#context.freeContext();
    this.#frame.free();
    this.#packet.free();
  }
}
