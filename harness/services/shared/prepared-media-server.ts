/** A media server that stays ready between trials, with its clip or voice in memory. */
import type { ArmedService, Preparation, RunningService, StudyContext, TrialContext } from '../service.ts';
import { MediaServer } from './media-server.ts';

/** Use that a service makes of its media server. */
type Use<P> = {
  /** Loads the clip or the voice. */
  load(server: MediaServer, context: StudyContext, params: P): Promise<void>;
  arm(server: MediaServer, context: StudyContext, trial: TrialContext, params: P): Promise<ArmedService>;
};

class PreparedMediaServer<P> implements Preparation<P> {
  readonly #use: Use<P>;
  readonly #context: StudyContext;
  readonly #params: P;
  #server: MediaServer | undefined;

  constructor(use: Use<P>, context: StudyContext, params: P) {
    this.#use = use;
    this.#context = context;
    this.#params = params;
  }

  /** Returns a loaded media server: the one that runs, or a new one. */
  async ready(): Promise<MediaServer> {
    if (this.#server?.alive === true) return this.#server;
    const server = (this.#server = await MediaServer.start(this.#context.network.hosts.server));
    await this.#use.load(server, this.#context, this.#params);
    return server;
  }

  async open(trial: TrialContext, params: P): Promise<RunningService> {
    return (await this.arm(trial, params)).begin();
  }

  async arm(trial: TrialContext, params: P): Promise<ArmedService> {
    return this.#use.arm(await this.ready(), this.#context, trial, params);
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }
}

/** Returns the `prepare` of a service that uses a media server. It stops the server if the media cannot be loaded. */
export const preparedBy =
  <P>(use: Use<P>) =>
  async (context: StudyContext, params: P): Promise<Preparation<P>> => {
    const prepared = new PreparedMediaServer(use, context, params);
    try {
      await prepared.ready();
    } catch (error) {
      await prepared.close();
      throw error;
    }
    return prepared;
  };
