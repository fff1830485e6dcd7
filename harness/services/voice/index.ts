/** A voice alone: a media server sends Opus over WebRTC to Chromium, as one side of a call does. */
import { resolve } from 'node:path';
import { voiceWireBps } from '../../../server/media/voice/rate.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import type { Preparation, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { MediaServer } from '../shared/media-server.ts';
import { checkVoice, isNamedVoice, voiceLines, voiceOptions } from '../shared/voice-params.ts';
import { arm } from './listening.ts';
import { type Params, paramsSchema } from './params.ts';

class Voice implements Preparation<Params> {
  readonly #context: StudyContext;
  readonly #params: Params;
  #server: MediaServer | undefined;

  constructor(context: StudyContext, params: Params) {
    this.#context = context;
    this.#params = params;
  }

  /** Returns a media server with the voice in memory: the one that runs, or a new one. */
  async ready(): Promise<MediaServer> {
    if (this.#server?.alive === true) return this.#server;
    const { hosts, addresses } = this.#context.network;
    const { voice, port } = this.#params;
    const server = (this.#server = await MediaServer.start(hosts.server));
    const clip = isNamedVoice(voice) ? null : await hosts.server.give(resolve(voice));
    await server.loadVoice({ type: 'load-voice', clip, listen: { host: addresses.server, port } });
    return server;
  }

  async open(trial: TrialContext, params: Params) {
    return (await this.arm(trial, params)).begin();
  }

  async arm(trial: TrialContext, params: Params) {
    return arm(await this.ready(), this.#context, trial, params);
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }
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
  async prepare(context, params) {
    const service = new Voice(context, params);
    try {
      await service.ready();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  },
};
