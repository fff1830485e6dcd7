/**
 * x264 alone: encodes the clip's frames at 60 fps as the media server does, and sends them nowhere. A program of its
 * own; prints an `EncoderCost`.
 *
 *   node encoder-alone.ts CLIP RATE_BPS THREADS SECONDS
 */
import { sleep } from '../../../core/system/deadline.ts';
import { loadClip } from '../../../server/media/clip.ts';
import { VideoEncoder } from '../../../server/media/encoder.ts';
import { chooseEncoder } from '../../../server/media/encoder-kinds.ts';
import { FrameLoop } from '../../../server/session/frame-loop.ts';

/** Processor time of the whole program, in cores, and how long each frame took. */
export type EncoderCost = { cores: number; encodeMs: number[] };

const [path, rateBps, threads, seconds] = process.argv.slice(2);
const size = { width: 1280, height: 720 };
const clip = await loadClip(path!, { ...size, maxSeconds: 5 });
const { kind } = await chooseEncoder('libx264');
const encoder = await VideoEncoder.open(kind, {
  ...size,
  frameRate: 60,
  rateBps: Number(rateBps),
  threads: Number(threads),
});
const encodeMs: number[] = [];
const loop = new FrameLoop(clip, encoder, 60, {
  onFrame: ({ captureMs, encodedMs }) => encodeMs.push(encodedMs - captureMs),
  onSkip: () => {},
  pacerIsFull: () => false,
  period: () => 1,
});
const ended = loop.run();
await sleep(2000); // until its code is compiled
encodeMs.length = 0;
const [before, fromMs] = [process.cpuUsage(), performance.now()];
await Promise.race([sleep(Number(seconds) * 1000), ended]);
const { user, system } = process.cpuUsage(before);
const cost: EncoderCost = { cores: (user + system) / 1000 / (performance.now() - fromMs), encodeMs };
loop.stop();
await ended;
encoder.close();
process.stdout.write(JSON.stringify(cost));
