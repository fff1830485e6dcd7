/**
 * Decodes a kept video without privileges, because the video may come from a stranger's run folder. kept-video.ts
 * starts this program.
 *
 * node harness/media/decode-video.ts 3< VIDEO
 *
 * Prints a line of JSON with the frame size. Then prints each frame as seen by a viewer who received all frames: the
 * number of the frame (8 bytes, little-endian) and its planes (4:2:0, 8 bits) without padding. The program ends when
 * its standard input closes. The exit status is 0, or there is an error line on the video.
 */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import { emptyFrame, orThrow } from '../../server/media/av.ts';
import { decode, fileDescriptor, mostPixels, write } from '../../server/media/decoder-main.ts';
import { readIvf } from '../../server/media/ivf.ts';

/**
 * Throws `bad-run-folder` for a frame with another size than the first frame, or another format than the sender
 * encodes. Such a frame cannot be compared.
 */
function checkFrame({ width, height, format }: av.Frame, size: { width: number; height: number }): void {
  if (format !== C.AV_PIX_FMT_YUV420P && format !== C.AV_PIX_FMT_YUVJ420P)
    throw new CoexistError('bad-run-folder', 'its frames are not 4:2:0 with 8 bits');
  if (width !== size.width || height !== size.height)
    throw new CoexistError('bad-run-folder', `it has frames of ${size.width}x${size.height} and of ${width}x${height}`);
  if (width % 2 !== 0 || height % 2 !== 0)
    throw new CoexistError('bad-run-folder', `its frames are ${width}x${height}, which is odd`);
}

await decode(async () => {
  const codec = av.Codec.findDecoder(C.AV_CODEC_ID_H264);
  if (codec === null) throw new CoexistError('no-h264', 'FFmpeg has no decoder for H.264');
  const decoder = new av.CodecContext();
  decoder.allocContext3(codec);
  decoder.threadCount = 1; // with more threads the decoder would return frames later
  orThrow(
    await decoder.open2(codec, av.Dictionary.fromObject({ max_pixels: mostPixels })),
    'decoder',
    'bad-run-folder',
  );
  const packet = new av.Packet();
  packet.alloc();
  const frame = emptyFrame();
  let size: { width: number; height: number } | undefined;
  const drain = async () => {
    while ((await decoder.receiveFrame(frame)) >= 0) {
      const { width, height, pts } = frame;
      if (size === undefined) await write(`${JSON.stringify((size = { width, height }))}\n`);
      checkFrame(frame, size);
      const number = Buffer.alloc(8);
      number.writeBigInt64LE(pts);
      await write(number);
      await write(frame.toBuffer());
      frame.unref();
    }
  };
  for (const { number, data } of readIvf(fileDescriptor)) {
    packet.data = data;
    packet.pts = BigInt(number);
    orThrow(await decoder.sendPacket(packet), `frame ${number}`, 'bad-run-folder');
    packet.unref();
    await drain();
  }
  await decoder.sendPacket(null);
  await drain();
  if (size === undefined) throw new CoexistError('bad-run-folder', 'not one frame could be decoded');
});
