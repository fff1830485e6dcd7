/**
 * The media server as a process: JSON lines in, JSON lines out (server/control/protocol.ts).
 *
 * It loads a clip once and then serves one viewing after another. It ends when its input ends.
 */
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { nowMs } from '../core/clock.ts';
import { sleep } from '../core/deadline.ts';
import { CoexistError, messageOf } from '../core/errors.ts';
import { LineSplitter } from '../core/jsonl.ts';
import { loadPlugins, pick } from '../core/plugins.ts';
import { check } from '../core/schema.ts';
import type { ControllerPlugin } from './congestion/controller.ts';
import { commandSchema } from './control/protocol.ts';
import type { Command, LoadCommand, OpenCommand, ServerEvent } from './control/protocol.ts';
import { loadClip } from './media/clip.ts';
import type { Clip } from './media/clip.ts';
import { chooseEncoder } from './media/encoder-kinds.ts';
import { VideoEncoder } from './media/encoder.ts';
import { Ladder } from './media/ladder.ts';
import { LadderEncoder } from './media/ladder-encoder.ts';
import type { EncoderKind } from './media/encoder.ts';
import { rehearse } from './session/rehearsal.ts';
import { Session } from './session/session.ts';
import { SessionRecorder } from './session/recorder.ts';
import { SenderSampler } from './session/sampler.ts';
import { SignalingServer } from './signaling/server.ts';
import { Peer } from './transport/peer.ts';

function say(event: ServerEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function sayError(error: unknown): void {
  const known = error instanceof CoexistError ? error : new CoexistError('server-failed', messageOf(error));
  if (!(error instanceof CoexistError) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  say({ type: 'error', code: known.code, message: known.message, hint: known.hint ?? null });
}

type Loaded = {
  clip: Clip;
  kind: EncoderKind;
  encoder: LoadCommand['encoder'];
  width: number;
  height: number;
  signaling: SignalingServer;
  controllers: Map<string, ControllerPlugin>;
};
type Viewing = { peer: Peer | undefined; session: Session | undefined; sampler: SenderSampler | undefined };

const rehearsalFrameRate = 60;
/** The one with the most code to compile before somebody watches; which one a viewing will use is not known yet. */
const rehearsalController = 'gcc';

let loaded: Loaded | undefined;
let viewing: Viewing | undefined;

async function load(command: LoadCommand): Promise<void> {
  if (loaded !== undefined) throw new CoexistError('server-failed', 'a clip is loaded already');
  const signaling = await SignalingServer.listen(command.listen.host, command.listen.port);
  try {
    const { kind, passedOver } = await chooseEncoder(command.encoder.name);
    const clip = await loadClip(command.clip.path, command.clip);
    const controllers = await loadPlugins<ControllerPlugin>(new URL('congestion/', import.meta.url), 'controller');
    const ready = {
      clip,
      kind,
      encoder: command.encoder,
      width: command.clip.width,
      height: command.clip.height,
      signaling,
      controllers,
    };
    const rehearsed = pick(controllers, rehearsalController, 'controller');
    await rehearse(
      clip,
      rateBps => openEncoder(ready, rehearsalFrameRate, rateBps),
      rehearsed.create(rehearsed.params.parse({}) as never),
      command.scratch,
    );
    loaded = ready;
    sayLoaded(loaded, passedOver);
  } catch (error) {
    await signaling.close();
    throw error;
  }
}

function openEncoder(
  { kind, encoder, width, height }: Omit<Loaded, 'clip' | 'signaling' | 'controllers'>,
  frameRate: number,
  rateBps: number,
): Promise<VideoEncoder> {
  return VideoEncoder.open(kind, {
    width,
    height,
    frameRate,
    rateBps,
    threads: encoder.threads,
    ...(encoder.preset === null ? {} : { preset: encoder.preset }),
  });
}

function sayLoaded({ clip, kind, encoder, signaling }: Loaded, passedOver: string[]): void {
  say({
    type: 'loaded',
    url: signaling.url,
    clip: { ...clip.source, frames: clip.frames.length, seconds: clip.frames.length / clip.frameRate },
    encoder: { codec: kind.codec, preset: encoder.preset ?? kind.preset, passedOver },
    ffmpeg: av.getFFmpegInfo().version,
  });
}

async function open(command: OpenCommand): Promise<void> {
  if (loaded === undefined) throw new CoexistError('server-failed', 'open before load');
  await close().catch(() => {}); // a viewing that its harness gave up
  const { signaling, controllers } = loaded;
  const plugin = pick(controllers, command.stream.controller.id, 'controller');
  const feedback = plugin.feedback === 'remb' ? 'remb' : command.stream.feedback;
  const mine: Viewing = { peer: undefined, session: undefined, sampler: undefined };
  viewing = mine;
  signaling.admit(command.token, {
    onOffer: async sdp => {
      if (mine.peer !== undefined) throw new CoexistError('usage', 'another browser watches already');
      const { peer, answerSdp } = await Peer.answer(
        sdp,
        [],
        feedback,
        command.stream.protectionRatio > 0,
        command.mediaPort,
      );
      if (mine.peer !== undefined || viewing !== mine) {
        await peer.close();
        throw new CoexistError('usage', 'another browser was faster');
      }
      mine.peer = peer;
      peer.onConnected = () => void start(mine, peer, plugin, command).catch(sayError);
      peer.onClosed = state => say({ type: 'peer-gone', state });
      return answerSdp;
    },
    onBye: () => say({ type: 'peer-gone', state: 'bye' }),
  });
  say({ type: 'opened' });
}

async function start(
  mine: Viewing,
  peer: Peer,
  plugin: ControllerPlugin,
  { stream, settleMs = 0, recordDirectory, keepVideo }: OpenCommand,
): Promise<void> {
  const { clip, kind, encoder: settings, width, height } = loaded!;
  await sleep(settleMs);
  if (viewing !== mine) return;
  const ladder = new Ladder({ width, height, frameRate: stream.frameRate }, stream.degradation);
  const encoder = await LadderEncoder.open(ladder, stream.startBps, ({ period, ...size }, rateBps) =>
    openEncoder({ kind, encoder: settings, ...size }, stream.frameRate / period, rateBps),
  );
  if (viewing !== mine) return encoder.close();
  const controller = plugin.create(stream.controller.params as never);
  const recorder = new SessionRecorder(
    recordDirectory,
    keepVideo === true ? { width, height, frameRate: stream.frameRate } : undefined,
  );
  mine.session = new Session({
    peer,
    clip,
    encoder,
    ladder,
    controller,
    recorder,
    options: stream,
    tellsOfPackets: peer.feedback !== 'remb',
  });
  mine.sampler = new SenderSampler(mine.session, sample => say({ type: 'sample', sample }));
  mine.session.ended.catch(sayError);
  say({ type: 'connected', timeMs: nowMs(), feedback: peer.feedback });
}

async function close(): Promise<void> {
  loaded?.signaling.shut();
  const ending = viewing;
  viewing = undefined;
  ending?.sampler?.stop();
  try {
    await ending?.session?.stop();
  } finally {
    await ending?.peer?.close(); // also when the record could not be written
  }
}

/** Commands are carried out one after another; the clock is told at once. */
let last: Promise<void> = Promise.resolve();

function onLine(line: string): void {
  let command: Command;
  try {
    command = check(commandSchema, JSON.parse(line), 'command', 'server-failed');
  } catch (error) {
    return sayError(error);
  }
  if (command.type === 'clock') return say({ type: 'clock', timeMs: nowMs() });
  const { type } = command;
  last = last
    .then(async () => {
      if (type === 'load') await load(command as LoadCommand);
      else if (type === 'open') await open(command as OpenCommand);
      else {
        await close();
        say({ type: 'closed' });
      }
    })
    .catch(sayError);
}

av.Log.setLevel(C.AV_LOG_ERROR);
process.on('uncaughtException', error => {
  sayError(error);
  process.exit(1);
});
process.on('SIGTERM', () => void close().finally(() => process.exit(0)));
const lines = new LineSplitter(onLine);
process.stdin.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
process.stdin.on('end', () => void last.then(close).finally(() => process.exit(0)));
