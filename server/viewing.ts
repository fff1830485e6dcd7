/** A viewing of the clip: the media for the browser that has the viewing's token. */

import { boundOf } from '../core/plugins.ts';
import type { BoundController } from './congestion/bound-controller.ts';
import type { OpenCommand } from './control/protocol.ts';
import { Entrance, type Owner, type Ready } from './entrance.ts';
import type { Loaded } from './loaded.ts';
import { Ladder } from './media/ladder.ts';
import { LadderEncoder } from './media/ladder-encoder.ts';
import { VoiceEncoder } from './media/voice/encoder.ts';
import { SessionRecorder } from './session/recorder.ts';
import { sampleOf } from './session/sampler.ts';
import { Session } from './session/session.ts';
import type { Peer } from './transport/peer.ts';

/** Admits a browser that presents the token. The viewing starts when this browser sends its offer. */
export function openViewing(loaded: Loaded, command: OpenCommand, owner: Owner): Entrance {
  const { stream, mediaPort } = command;
  // before the browser comes: the voice takes a moment to make
  if (stream.voice !== undefined) loaded.voice(stream.voice.clip);
  const controller = boundOf(loaded.controllers, stream.controller, 'controller');
  return new Entrance(
    loaded.signaling,
    command,
    {
      feedback: controller.feedback === 'remb' ? 'remb' : stream.feedback,
      isProtected: stream.protectionRatio > 0,
      ownAddress: loaded.host,
      media: stream.voice === undefined ? ['video'] : ['video', 'audio'],
      inSync: stream.voice?.sync === true,
      ...(mediaPort === undefined ? {} : { port: mediaPort }),
    },
    owner,
    peer => prepare(loaded, command, controller, peer),
  );
}

async function voiceOf(
  loaded: Loaded,
  { stream: { voice } }: OpenCommand,
): Promise<{ clip: Int16Array; encoder: VoiceEncoder } | undefined> {
  if (voice === undefined) return undefined;
  return { clip: loaded.voice(voice.clip), encoder: await VoiceEncoder.open(voice) };
}

async function prepare(loaded: Loaded, command: OpenCommand, controller: BoundController, peer: Peer): Promise<Ready> {
  const { clip, size } = loaded;
  const { stream, recordDirectory, keepVideo } = command;
  const ladder = new Ladder({ ...size, frameRate: stream.frameRate }, stream.degradation);
  const encoder = await LadderEncoder.open(ladder, stream.startBps, ({ period, ...reduced }, rateBps) =>
    loaded.openEncoder(reduced, stream.frameRate / period, rateBps),
  );
  const voice = await voiceOf(loaded, command);
  return {
    drop() {
      voice?.encoder.close();
      encoder.close();
    },
    start() {
      const session = new Session({
        peer,
        clip,
        encoder,
        ladder,
        controller: controller.create(),
        recorder: new SessionRecorder(
          recordDirectory,
          keepVideo === true ? { ...size, frameRate: stream.frameRate } : undefined,
          voice !== undefined,
        ),
        options: stream,
        tellsOfPackets: peer.feedback !== 'remb',
        ...(voice === undefined ? {} : { voice }),
      });
      return {
        ended: session.ended,
        sample: () => sampleOf(session),
        setPaused: isPaused => session.setPaused(isPaused),
        stop: () => session.stop(),
      };
    },
  };
}
