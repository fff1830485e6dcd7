/** One use of the voice: a browser that is prepared in advance, and the voice that it plays. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { recordFiles } from '../../../server/control/record-files.ts';
import { senderSeries } from '../../record/series/sender.ts';
import type { BrowserWindow } from '../../trial/browser/launch.ts';
import type { ArmedService, RunningService, StudyContext, TrialContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { armBrowser, type Launch, MediaUse, mediaPort, viewerOf } from '../shared/media-use.ts';
import { voiceOrder } from '../shared/voice-params.ts';
import type { Params } from './params.ts';

/** Size of the browser's window, which shows nothing, pixels. */
const windowSize = { width: 320, height: 180 };
/** Files of the record that the media server writes for a voice. */
const files = [recordFiles.voice, recordFiles.voiceClip, recordFiles.packets, recordFiles.roundTrips];

/** Starts the voice in a browser that shows an empty page. */
async function open(
  server: MediaServer,
  browser: BrowserWindow,
  study: StudyContext,
  trial: TrialContext,
  params: Params,
): Promise<RunningService> {
  const { server: host } = study.network.hosts;
  const place = await host.folderOf(trial.directory);
  const token = randomBytes(16).toString('hex');
  await server.open({
    type: 'open-voice',
    token,
    voice: await voiceOrder({ ...params, sync: false }, host),
    settleMs: params.settle,
    recordDirectory: place,
    ...(trial.tunnel === undefined ? {} : { mediaPort }),
  });
  server.onSample = sample => trial.write(senderSeries, sample);
  const { url, ffmpeg } = server.loadedVoice!;
  const viewer = await viewerOf(server, browser, { study, trial, service: 'voice' }, url, { token, voice: 'alone' });
  const { settle: _settle, port: _port, ...voice } = params;
  return new MediaUse(server, browser, viewer, {
    hasPicture: false,
    describe: () => ({ voice, ffmpeg, browser: browser.version }),
    bring: async () => {
      await Promise.all(files.map(name => host.bring(join(trial.directory, name), join(place, name))));
    },
  });
}

/** Prepares a use of the voice. `launch`: starts a browser; tests replace it. */
export async function arm(
  server: MediaServer,
  study: StudyContext,
  trial: TrialContext,
  params: Params,
  launch?: Launch,
): Promise<ArmedService> {
  await trial.tunnel?.carry(mediaPort);
  return armBrowser(study, windowSize, browser => open(server, browser, study, trial, params), launch);
}
