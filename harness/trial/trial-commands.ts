/** Commands that change a trial without end while it runs: its link, and applications that begin and end by command. */

import type { Scope } from '../../core/system/scope.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { LinkChange } from '../../shaper/backend/backend.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import type { TransportReading } from '../record/transport.ts';
import type { ApplicationRun } from './application-run.ts';

/** One command at a time. Each throws if the trial ends meanwhile. */
export interface TrialCommands {
  /** Changes the link, which carries packets meanwhile. Throws `link-refused` if it is not as asked for then. */
  setLink(change: LinkChange): Promise<Link>;
  /**
   * Ends the present use of an application, and begins another one with these parameters; null: none. Returns what its
   * flows really use. Throws if the new use does not begin, or is not what was asked for; then there is none. `onDied`:
   * called if it ends by itself; the trial goes on.
   */
  setApplication(
    name: string,
    params: object | null,
    onDied?: (error: unknown) => void,
  ): Promise<TransportReading | null>;
}

type CommandsOptions = {
  shapedLink: Pick<ShapedLink, 'change' | 'verify'>;
  /** The trial's. */
  scope: Scope;
  /** Applications that are on demand, by name; this sets those that take the place of others. */
  applications: Map<string, ApplicationRun>;
  /** Makes an application anew. */
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
          await next.stop().catch(() => {}); // it is dead
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

  /** Waits for the command under way, which the end of the trial gives up. */
  async end(): Promise<void> {
    await this.#underWay;
  }

  #do<T>(command: () => Promise<T>): Promise<T> {
    this.#options.scope.signal.throwIfAborted();
    const done = command();
    this.#underWay = done.catch(() => {}); // thrown to the caller
    return done;
  }
}
