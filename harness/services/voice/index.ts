/** A voice alone: a media server sends Opus over WebRTC to Chromium, as one side of a call does. */
import { resolve } from 'node:path';
import { voiceWireBps } from '../../../server/media/voice/rate.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import type { ServicePlugin, StudyContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { preparedBy } from '../shared/prepared-media-server.ts';
import { checkVoice, isNamedVoice, voiceLines, voiceOptions } from '../shared/voice-params.ts';
import { arm } from './listening.ts';
import { type Params, paramsSchema } from './params.ts';

async function load(server: MediaServer, { network }: StudyContext, { voice, port }: Params): Promise<void> {
  const clip = isNamedVoice(voice) ? null : await network.hosts.server.give(resolve(voice));
  await server.loadVoice({ type: 'load-voice', clip, listen: { host: network.addresses.server, port } });
}

/** Processor time of server and browser together, cores (the record's `cpuRatio`, four trials on two shared cores). */
const usedCores = 0.12;
/** Time until the jitter buffer has settled, ms. */
const warmUpMs = 3000;

export const plugin: ServicePlugin<Params> = {
  id: 'voice',
  files: { voice: isNamedVoice },
  kind: 'voice-call',
  overUdp: true,
  canPause: true,
  title: 'voice over WebRTC',
  source: 'RFC 8867, section 6.2 (audio beside video); RFC 7587; RFC 2198',
  params: paramsSchema,
  capBps: params => voiceWireBps(voiceOptions({ ...params, sync: false }, null)),
  warmUpMs: () => warmUpMs,
  cores: () => usedCores,
  onSameHost: ({ port }) => ({ port: port === 65_535 ? 65_534 : port + 1 }),
  async check(params) {
    findBrowser();
    checkVoice({ ...params, sync: false });
  },
  inspect: async params => voiceLines(params),
  overMachines: () => null,
  preparationKey: ({ voice, port }) => JSON.stringify({ voice, port }),
  prepare: preparedBy({ load, arm }),
};
