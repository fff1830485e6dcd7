/**
 * Decodes a clip, without privileges: it may come from anywhere (clip-decoder.ts starts it).
 *
 *   node server/media/decode-clip.ts probe 3< CLIP
 *   node server/media/decode-clip.ts WIDTH HEIGHT SECONDS 3< CLIP
 *
 * Prints a line of JSON, what the file is, and then the frames of its first SECONDS, scaled to fit into WIDTH x HEIGHT
 * with black bars, each as its planes (4:2:0, 8 bits) without padding; "probe" decodes the first ones and prints none.
 * It ends with its standard input. Exit status 0, or a line that says what is wrong with the clip.
 */
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';
import { FilterSource, emptyFrame, orThrow } from './av.ts';
import type { DecodedClip } from './clip-decoder.ts';
import { decode, fileDescriptor, mostPixels, write } from './decoder-main.ts';

/** As many as "probe" decodes. */
const probedFrames = 5;

/**
 * Containers that are opened as a clip, by FFmpeg's names: those that hold one video, complete in its file. Formats
 * that name other files or addresses (playlists, concat) are excluded, as are formats that hold no clips, since every
 * demuxer adds attack surface. (WAV is included to report that it has no video.)
 */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,ivf,mpegts,mpeg,flv,ogg,yuv4mpegpipe,h264,hevc,wav';
/** What FFmpeg answers to a container that is not among those, -EINVAL (errno(3)). */
const invalidArgument = -22;

type OpenClip = {
  format: av.FormatContext;
  decoder: av.CodecContext;
  stream: number;
  facts: DecodedClip;
  timeBase: av.Rational;
};

async function openClip(): Promise<OpenClip> {
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
  const codec = av.Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) throw new CoexistError('bad-clip', 'there is no decoder for its codec');
  const decoder = new av.CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.threadCount = 2;
  orThrow(await decoder.open2(codec, av.Dictionary.fromObject({ max_pixels: mostPixels })), 'decoder', 'bad-clip');
  const { num, den } = stream.avgFrameRate;
  const frameRate = den > 0 ? num / den : 0;
  if (!(frameRate > 0) || !(width > 0)) throw new CoexistError('bad-clip', 'its size or frame rate is unknown');
  const facts = {
    width,
    height,
    frameRate,
    codec: codec.name ?? 'unknown',
    seconds: format.duration > 0n ? Number(format.duration) / 1e6 : null,
  };
  return { format, decoder, stream: index, facts, timeBase: stream.timeBase };
}

/** Every decoded frame of the clip, in order, until `onFrame` returns false. The callee frees each. */
async function decodeFrames(
  { format, decoder, stream }: OpenClip,
  onFrame: (frame: av.Frame) => Promise<boolean>,
): Promise<void> {
  const packet = new av.Packet();
  packet.alloc();
  const drain = async (): Promise<boolean> => {
    for (;;) {
      const frame = emptyFrame();
      if ((await decoder.receiveFrame(frame)) < 0) {
        frame.free();
        return true;
      }
      if (!(await onFrame(frame))) return false;
    }
  };
  while ((await format.readFrame(packet)) >= 0) {
    if (packet.streamIndex === stream) {
      orThrow(await decoder.sendPacket(packet), 'decode', 'bad-clip');
      if (!(await drain())) return;
    }
    packet.unref();
  }
  await decoder.sendPacket(null);
  await drain();
}

async function probe(open: OpenClip): Promise<void> {
  let decoded = 0;
  await decodeFrames(open, async frame => {
    frame.free();
    return ++decoded < probedFrames;
  });
  if (decoded === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
}

async function writeFrames(open: OpenClip, width: number, height: number, seconds: number): Promise<void> {
  const limit = Math.max(1, Math.floor(seconds * open.facts.frameRate));
  let scaler: FilterSource | undefined;
  let written = 0;
  await decodeFrames(open, async frame => {
    scaler ??= await FilterSource.open(
      `scale=${width}:${height}:force_original_aspect_ratio=decrease:flags=bicubic,` +
        `pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`,
      `video_size=${frame.width}x${frame.height}:pix_fmt=${frame.format}:` +
        `time_base=${open.timeBase.num}/${open.timeBase.den}:pixel_aspect=1/1`,
    );
    await scaler.push(frame);
    frame.free();
    for (let scaled = await scaler.pull(); scaled !== undefined; scaled = await scaler.pull()) {
      if (++written <= limit) await write(scaled.toBuffer());
      scaled.free();
    }
    return written < limit;
  });
  if (written === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
}

await decode(async () => {
  const [mode, height, seconds] = process.argv.slice(2);
  const open = await openClip();
  await write(`${JSON.stringify(open.facts)}\n`);
  if (mode === 'probe') await probe(open);
  else await writeFrames(open, Number(mode), Number(height), Number(seconds));
});
