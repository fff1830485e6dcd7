/**
 * An encoder that follows a ladder. For a new frame size or frame rate it opens another encoder, which begins with a
 * key frame.
 */
import type * as av from 'node-av/lib';
import { nowMs } from '../../core/system/clock.ts';
import { emptyFrame, FilterSource, orThrow } from './av.ts';
import type { EncodedFrame, EncoderKind, FrameEncoder } from './encoder.ts';
import type { Ladder, Rung } from './ladder.ts';

type Open = (rung: Rung, rateBps: number) => Promise<FrameEncoder>;

export class LadderEncoder implements FrameEncoder {
  readonly kind: EncoderKind;
  readonly #ladder: Ladder;
  readonly #open: Open;
  #encoder: FrameEncoder;
  #rung: Rung;
  #scaler: FilterSource | undefined;

  private constructor(encoder: FrameEncoder, ladder: Ladder, open: Open) {
    this.kind = encoder.kind;
    this.#encoder = encoder;
    this.#ladder = ladder;
    this.#rung = ladder.rung;
    this.#open = open;
  }

  /** Opens the encoder for the first rung. `open` opens an encoder for a rung; this class closes all of them. */
  static async open(ladder: Ladder, rateBps: number, open: Open): Promise<LadderEncoder> {
    return new LadderEncoder(await open(ladder.rung, rateBps), ladder, open);
  }

  get rateBps(): number {
    return this.#encoder.rateBps;
  }

  setRate(rateBps: number): void {
    this.#encoder.setRate(rateBps);
  }

  async encode(raw: av.Frame, key: boolean): Promise<EncodedFrame | undefined> {
    const rung = this.#ladder.next(this.rateBps, nowMs());
    const isNew = rung !== this.#rung;
    if (isNew) await this.#enter(rung, raw);
    if (this.#scaler === undefined) return this.#encoder.encode(raw, key || isNew);
    await this.#feed(raw);
    const scaled = await this.#scaler.pull();
    if (scaled === undefined) return undefined;
    try {
      return await this.#encoder.encode(scaled, key || isNew);
    } finally {
      scaled.free();
    }
  }

  close(): void {
    this.#encoder.close();
    this.#scaler?.close();
    this.#scaler = undefined;
  }

  /**
   * Feeds a reference to the frame to the scaler, because the scaler empties its input and the clip must keep the
   * frame.
   */
  async #feed(raw: av.Frame): Promise<void> {
    const reference = emptyFrame();
    try {
      orThrow(reference.ref(raw), 'frame', 'server-failed');
      await this.#scaler!.push(reference);
    } finally {
      reference.free();
    }
  }

  async #enter(rung: Rung, raw: av.Frame): Promise<void> {
    const encoder = await this.#open(rung, this.rateBps);
    this.close();
    this.#encoder = encoder;
    this.#rung = rung;
    if (rung.width === raw.width && rung.height === raw.height) return;
    this.#scaler = await FilterSource.open(
      `scale=${rung.width}:${rung.height}:flags=bilinear`,
      `video_size=${raw.width}x${raw.height}:pix_fmt=${raw.format}:time_base=1/90000:pixel_aspect=1/1`,
    );
  }
}
