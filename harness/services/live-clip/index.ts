/**
 * The live clip: a media server encodes a clip in real time and streams it over WebRTC to Chromium, as a cloud-gaming
 * server does with its game.
 */
import { displayHz, formatFrameRate } from '../../../core/text/frame-rate.ts';
import type { LoadCommand } from '../../../server/control/protocol.ts';
import { requireMemory } from '../../../server/media/clip.ts';
import { voiceWireBps } from '../../../server/media/voice/rate.ts';
import { checkMarker } from '../../../shaper/marking/marker.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import { checkClip, clipNoteLines, inspectionLines } from '../clip-facts.ts';
import { clipPath, isNamedClip } from '../clips.ts';
import type { ServicePlugin, StudyContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { preparedBy } from '../shared/prepared-media-server.ts';
import { checkVoice, isNamedVoice, voiceLines, voiceOptions } from '../shared/voice-params.ts';
import { rampMs } from '../viewer.ts';
import { ectOf, type Params, paramsSchema } from './params.ts';
import { arm } from './viewing.ts';

async function load(server: MediaServer, { network, scratch }: StudyContext, params: Params): Promise<void> {
  const host = network.hosts.server;
  const clip = await host.give(clipPath(params.clip));
  await server.load(loadCommand(params, clip, network.addresses.server, await host.folderOf(scratch)));
}

/**
 * Returns the settings that a media server gets at its start; a change of them needs a new server. All other settings
 * may change between trials. Paths are those on the server's host.
 */
function loadCommand(params: Params, clip: string, host: string, scratch: string): LoadCommand {
  return {
    type: 'load',
    clip: {
      path: clip,
      width: params.width,
      height: params.height,
      maxSeconds: params.clipLength / 1000,
    },
    encoder: { name: params.encoder, preset: params.preset ?? null, threads: params.encoderThreads },
    listen: { host, port: params.port },
    scratch,
  };
}

/**
 * Processor time of server and browser together, with x264 ultrafast and without a GPU. Measured: 0.38 cores at 320x180
 * and 0.44 at 640x360 with 30 fps, and 1.07 at 1280x720 with 60 fps (the record's `cpuRatio`, two cores of a shared
 * machine, one trial each, 12 trials for the last).
 */
const fixedCores = 0.36;
const coresPerPixelRate = 1.29e-8;

export const plugin: ServicePlugin<Params> = {
  id: 'live-clip',
  files: { clip: isNamedClip, 'audio.voice': isNamedVoice },
  kind: 'video-call',
  overUdp: true,
  canPause: true,
  title: 'live clip over WebRTC',
  source: 'Juntima et al., section 3: gamer A and receiver B',
  params: paramsSchema,
  // the controller's rates include headers
  capBps: ({ maxBitrate, audio }) => maxBitrate + (audio === undefined ? 0 : voiceWireBps(voiceOptions(audio, null))),
  warmUpMs: params => rampMs(params.startBitrate, params.maxBitrate),
  controller: ({ controller }) => controller,
  ect: ectOf,
  frameRate: ({ frameRate }) => frameRate,
  shownClip: ({ clip, clipLength, width, height, frameRate }) => ({
    path: clipPath(clip),
    width,
    height,
    frameRate,
    maxSeconds: clipLength / 1000,
  }),
  onSameHost: ({ port }) => ({ port: port === 65_535 ? 65_534 : port + 1 }),
  cores: ({ width, height, frameRate }) => fixedCores + coresPerPixelRate * width * height * frameRate,
  async check(params) {
    findBrowser();
    if (params.ecn) await checkMarker();
    requireMemory((await checkClip(params.clip, params.clipLength)).frames, params);
    if (params.audio !== undefined) checkVoice(params.audio);
  },
  async inspect(params) {
    const { clip, clipLength, frameRate } = params;
    return [
      ...(await inspectionLines(clip, clipLength, params)),
      ...(await clipNoteLines(clip, clipLength)),
      ...(params.audio === undefined ? [] : voiceLines(params.audio)),
      ...(frameRate > displayHz
        ? [
            `note: ${formatFrameRate(frameRate)} frames a second are sent, and Chromium presents ${displayHz}: its ` +
              `display has ${displayHz} Hz unless a faster monitor is attached`,
          ]
        : []),
    ];
  },
  overMachines: ({ ecn }) => (ecn ? 'the ECN marks of the media (ecn) are set by a program on this machine' : null),
  preparationKey: params => JSON.stringify(loadCommand(params, clipPath(params.clip), '', '')),
  prepare: preparedBy({ load, arm }),
};
