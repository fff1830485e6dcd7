/** Commands to a running trial whose window has no end: they change its link, and begin and end applications. */

import type { Scope } from '../../core/system/scope.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { LinkChange } from '../../shaper/backend/backend.ts';
import type { LinkChain } from '../../shaper/backend/link-chain.ts';
import type { TransportReading } from '../record/transport.ts';
import type { ApplicationRun } from './application-run.ts';

/** Commands are executed one at a time. Each throws if the trial ends before it is done. */
export interface TrialCommands {
  /**
   * Changes the link while it carries packets. Returns the new link. Throws `link-refused` if the link then differs
   * from the request.
   */
  setLink(change: LinkChange): Promise<Link>;
  /**
   * Ends the current use of an application and begins another with these parameters; null: begins none. Returns the
   * congestion control that the flows really use. Throws if the new use does not begin or differs from the request;
   * then the application is not in use. `onDied`: called if the application dies later; the trial goes on.
   */
  setApplication(
    name: string,
    params: object | null,
    onDied?: (error: unknown) => void,
  ): Promise<TransportReading | null>;
}

type CommandsOptions = {
  shapedLink: Pick<LinkChain, 'change' | 'verify'>;
  scope: Scope;
  /** Running applications that began by command, by name. Commands update the map. */
  applications: Map<string, ApplicationRun>;
  /** Creates a run of the application with new parameters. */
  make(name: string, params: object): Promise<ApplicationRun>;
};

export class Commands implements TrialCommands {
  readonly #options: CommandsOptions;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  setLink(change: LinkChange): Promise<Link> {
    const { shapedLink, scope } = this.#options;
    return this.#do(async () => {
      const link = await scope.race(shapedLink.change(change));
      await scope.race(shapedLink.verify());
      return link;
    });
  }

  setApplication(
    name: string,
    params: object | null,
    onDied: (error: unknown) => void = () => {},
  ): Promise<TransportReading | null> {
    const { scope, applications, make } = this.#options;
    return this.#do(async () => {
      const before = applications.get(name);
      applications.delete(name);
      await before?.stop();
      scope.signal.throwIfAborted();
      if (params === null) return null;
      const next = await scope.race(make(name, params));
      applications.set(name, next);
      try {
        const service = await scope.race(next.open());
        next.failed.catch(async (error: unknown) => {
          if (!next.isOpen) return;
          applications.delete(name);
          await next.stop().catch(() => {}); // no error matters: the application is dead
          onDied(error);
        });
        await scope.race(next.collect());
        return service.transport();
      } catch (error) {
        applications.delete(name);
        await next.stop();
        throw error;
      }
    });
  }

  /** Waits for the command in progress, which the end of the trial aborts. */
  async end(): Promise<void> {
    await this.#underWay;
  }

  #do<T>(command: () => Promise<T>): Promise<T> {
    this.#options.scope.signal.throwIfAborted();
    const done = command();
    this.#underWay = done.catch(() => {}); // the caller gets the error
    return done;
  }
}
