/** A voice alone: what a media server loads for it, and the voice for the browser that has the token. */
import type { LoadVoiceCommand, OpenVoiceCommand } from './control/protocol.ts';
import { Entrance, type Owner } from './entrance.ts';
import { loadVoice } from './media/voice/clip.ts';
import { VoiceEncoder } from './media/voice/encoder.ts';
import { SessionRecorder } from './session/recorder.ts';
import { VoiceSession } from './session/voice-session.ts';
import { SignalingServer } from './signaling/server.ts';

/** A voice in memory, and the server of its page. */
export class LoadedVoice {
  readonly signaling: SignalingServer;
  /** Host address from which pages and media are served. */
  readonly host: string;
  readonly clip: Int16Array;

  private constructor(signaling: SignalingServer, host: string, clip: Int16Array) {
    this.signaling = signaling;
    this.host = host;
    this.clip = clip;
  }

  static async load({ listen, clip }: LoadVoiceCommand): Promise<LoadedVoice> {
    const samples = loadVoice(clip);
    return new LoadedVoice(await SignalingServer.listen(listen.host, listen.port), listen.host, samples);
  }
}

/** Admits a browser that presents the token. The voice starts when this browser has connected. */
export function openVoiceViewing(loaded: LoadedVoice, command: OpenVoiceCommand, owner: Owner): Entrance {
  const { voice: options, mediaPort, recordDirectory } = command;
  return new Entrance(
    loaded.signaling,
    command,
    {
      ownAddress: loaded.host,
      media: ['audio'],
      ...(mediaPort === undefined ? {} : { port: mediaPort }),
    },
    owner,
    async peer => {
      const encoder = await VoiceEncoder.open(options);
      return {
        drop: () => encoder.close(),
        start: () =>
          new VoiceSession({
            peer,
            voice: peer.voice!,
            clip: loaded.clip,
            encoder,
            options,
            recorder: new SessionRecorder(recordDirectory, undefined, true),
          }),
      };
    },
  );
}
