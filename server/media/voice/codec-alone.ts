/**
 * A voice that is encoded and decoded with no network in between, by the encoder of the sessions: what a listener would
 * hear of it if no packet were lost or late.
 */
import type { FFDecoderCodec } from 'node-av/constants';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../../core/errors.ts';
import { voiceRateHz } from '../../../core/vocabulary/voice.ts';
import { emptyFrame, orThrow } from '../av.ts';
import { VoiceEncoder, type VoiceEncoderOptions } from './encoder.ts';

/** Decodes packets of Opus with one channel by the libopus of FFmpeg, which browsers have, too. */
class VoiceDecoder {
  readonly #context = new av.CodecContext();
  readonly #packet = new av.Packet();
  readonly #frame = emptyFrame();

  static async open(): Promise<VoiceDecoder> {
    const codec = av.Codec.findDecoderByName('libopus' as FFDecoderCodec);
    if (codec === null) throw new CoexistError('no-encoder', 'FFmpeg has no decoder libopus');
    const decoder = new VoiceDecoder();
    const context = decoder.#context;
    context.allocContext3(codec);
    context.sampleRate = voiceRateHz;
    context.channelLayout = C.AV_CHANNEL_LAYOUT_MONO;
    decoder.#packet.alloc();
    orThrow(await context.open2(codec, null), 'decoder libopus', 'no-encoder');
    return decoder;
  }

  async decode(packet: Buffer): Promise<Int16Array> {
    this.#packet.data = packet;
    orThrow(await this.#context.sendPacket(this.#packet), 'decoder libopus', 'server-failed');
    this.#packet.unref();
    orThrow(await this.#context.receiveFrame(this.#frame), 'decoder libopus', 'server-failed');
    const { nbSamples, data } = this.#frame;
    const samples = new Int16Array(nbSamples);
    const bytes = data![0]!;
    Buffer.from(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    this.#frame.unref();
    return samples;
  }

  close(): void {
    this.#context.freeContext();
    this.#packet.free();
    this.#frame.free();
  }
}

/** Number of times that the clip is encoded: the encoder has settled when the second one begins. */
const rounds = 2;

/**
 * Returns what is decoded of the second time that the clip is sent in its loop, with the delay of the codec. A frame that
 * is not sent, in silence, is silent.
 */
export async function codecAlone(clip: Int16Array, options: VoiceEncoderOptions): Promise<Int16Array> {
  const level = av.Log.getLevel();
  av.Log.setLevel(C.AV_LOG_ERROR); // the encoder warns that a frame is left in it at the end
  const encoder = await VoiceEncoder.open(options);
  const decoder = await VoiceDecoder.open();
  try {
    const { frameSamples } = encoder;
    const frame = new Int16Array(frameSamples);
    const decoded = new Int16Array(Math.ceil((rounds * clip.length) / frameSamples) * frameSamples);
    for (let from = 0; from < decoded.length; from += frameSamples) {
      for (let i = 0; i < frameSamples; i++) frame[i] = clip[(from + i) % clip.length]!;
      const packet = await encoder.encode(frame);
      if (packet !== undefined) decoded.set(await decoder.decode(packet), from);
    }
    return decoded.slice(clip.length, rounds * clip.length);
  } finally {
    encoder.close();
    decoder.close();
    av.Log.setLevel(level);
  }
}
