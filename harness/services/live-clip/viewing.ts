/** One use of the live clip: a browser that is prepared in advance, and the stream that it shows. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { clipNotes } from '../../../core/vocabulary/clip-words.ts';
import { udpProtocol } from '../../../core/vocabulary/udp.ts';
import { recordFiles } from '../../../server/control/record-files.ts';
import { Marker } from '../../../shaper/marking/marker.ts';
import { senderSeries } from '../../record/series/sender.ts';
import type { BrowserWindow } from '../../trial/browser/launch.ts';
import { clipPath } from '../clips.ts';
import type { ArmedService, RunningService, StudyContext, TrialContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { armBrowser, type Launch, MediaUse, mediaPort, viewerOf } from '../shared/media-use.ts';
import { voiceOrder } from '../shared/voice-params.ts';
import { ectOf, type Params } from './params.ts';

/**
 * Returns the switches with which a browser offers the requested feedback and error correction (libwebrtc 2026-08,
 * g3doc/field-trials.md).
 */
function fieldTrials({ feedback, protection }: Params): string[] {
  const trials = [
    ...(feedback === 'ccfb' ? ['WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/'] : []),
    ...(protection > 0 ? ['WebRTC-FlexFEC-03-Advertised/Enabled/'] : []),
  ];
  return trials.length === 0 ? [] : [`--force-fieldtrials=${trials.join('')}`];
}

/** Starts to mark the RTP packets of the media if the parameters ask for it. */
async function startMarker({ network }: StudyContext, params: Params): Promise<Marker | undefined> {
  const to = ectOf(params);
  if (to === null) return undefined;
  const rule = { protocol: udpProtocol, port: mediaPort, onlyRtp: true, ecn: { from: 'not-ect', to } } as const;
  return Marker.start(network.hosts.server, network.addresses.client, rule);
}

/** Order of a viewing. `place`: folder on the server's host for the files of the record. */
type Order = { server: MediaServer; study: StudyContext; trial: TrialContext; place: string; params: Params };

/** Starts the stream in a browser that shows an empty page. */
async function open(order: Order, browser: BrowserWindow): Promise<RunningService> {
  const marker = await startMarker(order.study, order.params);
  try {
    return await openMarked(order, browser, marker);
  } catch (error) {
    await marker?.stop();
    throw error;
  }
}

async function openMarked(
  { server, study, trial, place, params }: Order,
  browser: BrowserWindow,
  marker: Marker | undefined,
): Promise<RunningService> {
  const { server: host } = study.network.hosts;
  const token = randomBytes(16).toString('hex');
  await server.open({
    type: 'open',
    token,
    recordDirectory: params.record ? place : null,
    keepVideo: params.pictureQuality,
    settleMs: params.settle,
    ...(trial.tunnel === undefined && marker === undefined ? {} : { mediaPort }),
    stream: {
      frameRate: params.frameRate,
      startBps: Math.min(params.startBitrate, params.maxBitrate),
      minBps: params.minBitrate,
      maxBps: params.maxBitrate,
      controller: { id: params.controller.id, params: params.controller.params },
      feedback: params.feedback,
      protectionRatio: params.protection,
      degradation: params.degradation,
      playoutDelay: params.playout === 'immediate' ? { minMs: 0, maxMs: 0 } : null,
      pacerLimitMs: params.pacerLimit,
      ...(params.clipStart === 'clock' ? { clipZeroMs: 0 } : {}),
      ...(params.audio === undefined ? {} : { voice: await voiceOrder(params.audio, host) }),
    },
  });
  server.onSample = sample => trial.write(senderSeries, sample);
  const query = { token, ...(params.audio === undefined ? {} : { voice: '1' }) };
  const viewer = await viewerOf(server, browser, { study, trial, service: 'live-clip' }, server.loaded!.url, query);
  return new MediaUse(server, browser, viewer, {
    hasPicture: true,
    failed: marker?.failed,
    describe: () => description(server, browser, params),
    notes: () => clipNotes(server.loaded!.clip),
    release: async () => {
      await marker?.stop();
    },
    bring: async () => {
      if (!params.record) return;
      const { video, voice, voiceClip, ...series } = recordFiles;
      const names = [
        ...Object.values(series),
        ...(params.pictureQuality ? [video] : []),
        ...(params.audio === undefined ? [] : [voice, voiceClip]),
      ];
      await Promise.all(names.map(name => host.bring(join(trial.directory, name), join(place, name))));
    },
  });
}

function description(server: MediaServer, browser: BrowserWindow, params: Params): Record<string, unknown> {
  const { clip, encoder, ffmpeg } = server.loaded!;
  return {
    clip: { path: clipPath(params.clip), ...clip },
    encoder,
    ffmpeg,
    browser: browser.version,
    controller: params.controller,
    feedback: server.connected?.feedback,
    ...(params.ecn ? { ect: ectOf(params) } : {}),
    ...(params.audio === undefined ? {} : { voice: params.audio }),
    video: { width: params.width, height: params.height, frameRate: params.frameRate },
  };
}

/**
 * Prepares a use of the live clip: a browser, and a tunnel if requested. Only the stream is missing then. `server`: has
 * the clip in memory. `launch`: starts a browser; tests replace it.
 */
export async function arm(
  server: MediaServer,
  study: StudyContext,
  trial: TrialContext,
  params: Params,
  launch?: Launch,
): Promise<ArmedService> {
  if (params.ecn && trial.tunnel !== undefined)
    throw new CoexistError(
      'bad-definition',
      'ECN marks of the media do not pass a tunnel: leave out ecn or the tunnel',
    );
  await trial.tunnel?.carry(mediaPort);
  const place = await study.network.hosts.server.folderOf(trial.directory);
  const { width, height } = params;
  const switches = fieldTrials(params);
  const order: Order = { server, study, trial, place, params };
  return armBrowser(study, { width, height, switches }, browser => open(order, browser), launch);
}
