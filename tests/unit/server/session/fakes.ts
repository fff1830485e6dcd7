/** Fakes of encoder, clip and browser, for sessions without codec and network. */
import { sleep } from '../../../../core/system/deadline.ts';
import type { Clip } from '../../../../server/media/clip.ts';
import type { EncodedFrame, VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import { extensionUri } from '../../../../server/rtp/header-extensions.ts';
import type {
  MediaConnection,
  RtpFields,
  StreamParameters,
  VoiceParameters,
} from '../../../../server/transport/connection.ts';

export class FakeEncoder {
  readonly kind = encoderKinds.find(({ codec }) => codec === 'libx264')!;
  rateBps = 1e6;
  readonly encoded: { raw: number; key: boolean; rateBps: number }[] = [];
  closed = false;
  /** Time to encode a frame, ms. */
  tookMs = 0;
  fault: Error | undefined;
  frameBytes = 3000;
  /** Frames per second at which the encoder produces exactly its rate, instead of `frameBytes` per frame. */
  exactAt: number | undefined;

  setRate(bps: number): void {
    this.rateBps = bps;
  }

  async encode(raw: unknown, key: boolean): Promise<EncodedFrame | undefined> {
    if (this.tookMs > 0) await sleep(this.tookMs);
    if (this.fault !== undefined) throw this.fault;
    this.encoded.push({ raw: raw as number, key, rateBps: this.rateBps });
    const type = key ? 0x65 : 0x41;
    return {
      data: Buffer.concat([
        Buffer.from([0, 0, 0, 1, type]),
        Buffer.alloc(
          this.exactAt === undefined ? this.frameBytes : Math.round(this.rateBps / 8 / this.exactAt) - 5,
          0xaa,
        ),
      ]),
      key,
    };
  }

  close(): void {
    this.closed = true;
  }

  get asEncoder(): VideoEncoder {
    return this as unknown as VideoEncoder;
  }
}

/** A clip whose frames are their own numbers. */
export function numberedClip(frameCount: number, frameRate = 60): Clip {
  return {
    path: '',
    facts: undefined as never, // sessions do not read the facts
    times: {
      startsS: Array.from({ length: frameCount }, (_, i) => i / frameRate),
      seconds: frameCount / frameRate,
      frameRate,
    },
    frames: Array.from({ length: frameCount }, (_, i) => i) as never,
  };
}

export class FakePeer implements MediaConnection {
  onRtcp: (bytes: Buffer) => void = () => {};
  readonly sent: { fields: RtpFields; payload: Buffer }[] = [];
  readonly rtcp: Buffer[] = [];
  readonly stream: StreamParameters = {
    ssrc: 0x11111111,
    rtxSsrc: 0x22222222,
    payloadType: 108,
    rtxPayloadType: 109,
    protection: undefined,
    mid: '0',
    extensions: new Map([[extensionUri.transportSequence, 4]]),
  };

  voice: VoiceParameters | undefined;

  sendRtp(fields: RtpFields, payload: Buffer): number {
    this.sent.push({ fields, payload });
    return payload.length + 60;
  }

  sendRtcp(bytes: Buffer): void {
    this.rtcp.push(bytes);
  }
}
