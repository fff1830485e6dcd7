/**
 * A clip decoded once into memory: every frame uncompressed, found by its number.
 *
 * Looping is then an index that starts again: no seek, no decoder, and so no gap where the clip ends.
 * Frames of another size are scaled to fit, with black bars.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';
import { FilterSource, emptyFrame, orThrow } from './av.ts';

type ClipOptions = {
  width: number;
  height: number;
  /** Only the first so many seconds are used. */
  maxSeconds: number;
};

/** What a file is, before it is decoded. */
type ClipFacts = { width: number; height: number; frameRate: number; codec: string };

export type Clip = {
  path: string;
  /** Of the file. */
  source: ClipFacts;
  frameRate: number;
  frames: readonly av.Frame[];
};

/** The frame to show so many seconds after the start, looping for ever. */
export function frameIndexAt(seconds: number, frameRate: number, frameCount: number): number {
  return Math.floor(seconds * frameRate + 1e-6) % frameCount;
}

type OpenClip = {
  format: av.FormatContext;
  decoder: av.CodecContext;
  stream: number;
  facts: ClipFacts;
  /** Length of the file, Infinity where it does not say. */
  seconds: number;
  timeBase: av.Rational;
};

/**
 * What is opened as a clip, by FFmpeg's names: containers of one video, each whole in its file. Not what names other
 * files or addresses (playlists, concat), and nothing that no clip is kept in: a file may come from anywhere, and every
 * reader is a way in. (WAV, to say of it that it has no video.)
 */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,ivf,mpegts,mpeg,flv,ogg,yuv4mpegpipe,h264,hevc,wav';
/** What FFmpeg answers to a container that is not among those, -EINVAL (errno(3)). */
const invalidArgument = -22;
/** Room for 8K; what claims to be larger is not decoded. */
const mostPixels = 7680 * 4320;

async function openClip(path: string): Promise<OpenClip> {
  if (!existsSync(path) || !statSync(path).isFile())
    throw new CoexistError('bad-clip', `the clip ${path} does not exist`, {
      hint: 'give the path of a video file with --set service.clip=FILE',
    });
  const format = new av.FormatContext();
  try {
    const opened = await format.openInput(
      path,
      null,
      av.Dictionary.fromObject({ format_whitelist: containers, protocol_whitelist: 'file' }),
    );
    if (opened === invalidArgument)
      throw new CoexistError(
        'bad-clip',
        'it is no MP4, MOV, Matroska, WebM, AVI, IVF, MPEG, FLV, Ogg, Y4M, H.264 or HEVC file',
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
    const facts = { width, height, frameRate: den > 0 ? num / den : 0, codec: codec.name ?? 'unknown' };
    if (!(facts.frameRate > 0) || !(facts.width > 0))
      throw new CoexistError('bad-clip', 'its size or frame rate is unknown');
    const seconds = format.duration > 0n ? Number(format.duration) / 1e6 : Infinity;
    return { format, decoder, stream: index, facts, seconds, timeBase: stream.timeBase };
  } catch (error) {
    await format.closeInput();
    throw badClip(path, error);
  }
}

function badClip(path: string, error: unknown): CoexistError {
  if (error instanceof CoexistError && error.message.includes(path)) return error;
  return new CoexistError(
    'bad-clip',
    `the clip ${path} cannot be decoded: ${error instanceof Error ? error.message : String(error)}`,
    {
      hint: 'play it with another program to see whether it is whole, or give another with --set service.clip=FILE',
      cause: error,
    },
  );
}

/** Every decoded frame of the clip, in order, until `onFrame` returns false. The callee keeps or frees each. */
async function decode(
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
  try {
    while ((await format.readFrame(packet)) >= 0) {
      if (packet.streamIndex === stream) {
        orThrow(await decoder.sendPacket(packet), 'decode', 'bad-clip');
        if (!(await drain())) return;
      }
      packet.unref();
    }
    await decoder.sendPacket(null);
    await drain();
  } finally {
    packet.free();
  }
}

/** Memory that may still be used, bytes (proc(5), MemAvailable). */
function availableBytes(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? NaN) * 1024;
}

/** Decodes a clip. Throws `bad-clip` naming the file and the reason, `no-memory` where it would not fit. */
export async function loadClip(path: string, options: ClipOptions): Promise<Clip> {
  const open = await openClip(path);
  const { facts } = open;
  const limit = Math.max(1, Math.floor(options.maxSeconds * facts.frameRate));
  const needBytes = Math.min(limit, Math.ceil(open.seconds * facts.frameRate)) * options.width * options.height * 1.5;
  const haveBytes = availableBytes();
  const frames: av.Frame[] = [];
  let scaler: FilterSource | undefined;
  try {
    if (needBytes > haveBytes * 0.7) {
      throw new CoexistError(
        'no-memory',
        `the clip needs ${Math.round(needBytes / 1e6)} MB of memory, ${Math.round(haveBytes / 1e6)} MB are free`,
        {
          hint: 'use less of it with --set service.clipLength=5s, or a smaller frame with --set service.height=360 --set service.width=640',
        },
      );
    }
    await decode(open, async frame => {
      scaler ??= await FilterSource.open(
        `scale=${options.width}:${options.height}:force_original_aspect_ratio=decrease:flags=bicubic,` +
          `pad=${options.width}:${options.height}:-1:-1,setsar=1,format=yuv420p`,
        `video_size=${frame.width}x${frame.height}:pix_fmt=${frame.format}:time_base=${open.timeBase.num}/${open.timeBase.den}:pixel_aspect=1/1`,
      );
      await scaler.push(frame);
      frame.free();
      for (let scaled = await scaler.pull(); scaled !== undefined; scaled = await scaler.pull()) frames.push(scaled);
      return frames.length < limit;
    });
    if (frames.length === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
    return { path, source: facts, frameRate: facts.frameRate, frames };
  } catch (error) {
    for (const frame of frames) frame.free();
    throw error instanceof CoexistError && error.code === 'no-memory' ? error : badClip(path, error);
  } finally {
    scaler?.close();
    open.decoder.freeContext();
    await open.format.closeInput();
  }
}

/** Opens a clip and decodes its first frames: enough to refuse a file that is none. */
export async function probeClip(path: string): Promise<ClipFacts> {
  const open = await openClip(path);
  let decoded = 0;
  try {
    await decode(open, async frame => {
      frame.free();
      return ++decoded < 5;
    });
    if (decoded === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
    return open.facts;
  } catch (error) {
    throw badClip(path, error);
  } finally {
    open.decoder.freeContext();
    await open.format.closeInput();
  }
}
