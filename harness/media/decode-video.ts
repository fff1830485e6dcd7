/** The frames of a kept video, decoded again: what a viewer who got them whole saw. */
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';
import { emptyFrame, orThrow } from '../../server/media/av.ts';
import { readIvf } from '../../server/media/ivf.ts';

type DecodedFrame = { number: number; frame: av.Frame };

/** In order. Each frame is freed when the next is asked for. */
export async function* decodeVideo(path: string): AsyncGenerator<DecodedFrame> {
  const codec = av.Codec.findDecoder(C.AV_CODEC_ID_H264);
  if (codec === null) throw new CoexistError('no-h264', 'FFmpeg has no decoder for H.264');
  const decoder = new av.CodecContext();
  decoder.allocContext3(codec);
  decoder.threadCount = 1; // more of them would hold frames back
  const packet = new av.Packet();
  packet.alloc();
  const frame = emptyFrame();
  async function* drain(): AsyncGenerator<DecodedFrame> {
    while ((await decoder.receiveFrame(frame)) >= 0) {
      yield { number: Number(frame.pts), frame };
      frame.unref();
    }
  }
  try {
    orThrow(await decoder.open2(codec, null), 'decoder', 'bad-run-folder');
    for (const { number, data } of readIvf(path)) {
      packet.data = data;
      packet.pts = BigInt(number);
      orThrow(await decoder.sendPacket(packet), `frame ${number} of ${path}`, 'bad-run-folder');
      packet.unref();
      yield* drain();
    }
    await decoder.sendPacket(null);
    yield* drain();
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
  }
}
