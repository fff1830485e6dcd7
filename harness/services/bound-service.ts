/**
 * The interface through which all other code uses a service. `Service` has the members that do not depend on
 * parameters, `BoundService` those that do. Only these two call a plug-in, so that other code does not know a service's
 * parameters.
 */
import { type Bindable, bindable } from '../../core/plugins.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';
import type {
  ArmedService,
  Preparation,
  PreparedService,
  ServicePlugin,
  ShownClip,
  StudyContext,
  TrialContext,
} from './service.ts';

/**
 * A plug-in together with checked parameters. Optional members that the plug-in omits get their defaults (service.ts).
 */
class BoundService {
  readonly #plugin: ServicePlugin;
  readonly #params: unknown;

  constructor(plugin: ServicePlugin, params: unknown) {
    this.#plugin = plugin;
    this.#params = params;
  }

  get capBps(): number | null {
    return this.#plugin.capBps(this.#params);
  }

  get warmUpMs(): number {
    return this.#plugin.warmUpMs(this.#params);
  }

  /** Null: the service has no end. */
  get longestMs(): number | null {
    return this.#plugin.longestMs?.(this.#params) ?? null;
  }

  /** Null: the load of the service is not known. */
  get cores(): number | null {
    return this.#plugin.cores?.(this.#params) ?? null;
  }

  get clients(): number {
    return this.#plugin.clients?.(this.#params) ?? 1;
  }

  /** Number of flows of all clients together. */
  get flows(): number {
    return this.clients * (this.#plugin.flows?.(this.#params) ?? 1);
  }

  /** Null: the service has no media server. */
  get controller(): { id: string; title: string; changed?: Record<string, unknown> } | null {
    return this.#plugin.controller?.(this.#params) ?? null;
  }

  /** Null: the packets of the media server are not ECN-capable, or there is none. */
  get ect(): 'ect0' | 'ect1' | null {
    return this.#plugin.ect?.(this.#params) ?? null;
  }

  /** Null: the service captures no video. */
  get frameRate(): number | null {
    return this.#plugin.frameRate?.(this.#params) ?? null;
  }

  /** Null: no client of the service keeps the video. */
  get shownClip(): ShownClip | null {
    return this.#plugin.shownClip?.(this.#params) ?? null;
  }

  /** Returns the parameters of a second instance that shares a host with this one. */
  onSameHost(): object {
    return { ...(this.#params as object), ...this.#plugin.onSameHost?.(this.#params) };
  }

  get neededBbr3(): Bbr3Budget | null {
    return this.#plugin.neededBbr3?.(this.#params) ?? null;
  }

  get kernelControl(): string | null {
    return this.#plugin.kernelControl?.(this.#params) ?? null;
  }

  /** Null: the service reaches only the study's own network. */
  get outside(): { host: string; port: number } | null {
    return this.#plugin.outside?.(this.#params) ?? null;
  }

  /** Reason why the service cannot run on the machines of a lab; null if it can. */
  get machinesObstacle(): string | null {
    return this.#plugin.overMachines === undefined ? 'it needs this machine' : this.#plugin.overMachines(this.#params);
  }

  get runsModule(): string | null {
    return this.#plugin.runsModule?.(this.#params) ?? null;
  }

  get preparationKey(): string {
    return this.#plugin.preparationKey(this.#params);
  }

  /** Paths of the files that the parameters name; paths of shipped files are left out. */
  get files(): string[] {
    return Object.entries(this.#plugin.files ?? {}).flatMap(([name, isShipped]) => {
      const value = name
        .split('.')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], this.#params);
      return typeof value !== 'string' || isShipped(value) ? [] : [value];
    });
  }

  /** Returns the parameters of one instance that represents `users` users; empty if each user needs an instance. */
  together(users: number, spreadMs: number): Record<string, unknown> {
    return this.#plugin.together?.(this.#params, users, spreadMs) ?? {};
  }

  check(headed: boolean, scriptSha256?: string): Promise<void> {
    return this.#plugin.check(this.#params, headed, scriptSha256);
  }

  async inspect(): Promise<string[]> {
    return (await this.#plugin.inspect?.(this.#params)) ?? [];
  }

  prepare(context: StudyContext): Promise<Preparation> {
    return this.#plugin.prepare(context, this.#params);
  }

  /**
   * Returns the service with prepared parts. `preparation`: result of `prepare` of this service, or of a service with
   * the same `preparationKey`.
   */
  use(preparation: Preparation): PreparedService {
    const params = this.#params;
    const { arm } = preparation;
    return {
      open: (trial: TrialContext) => preparation.open(trial, params),
      ...(arm === undefined
        ? {}
        : { arm: (trial: TrialContext): Promise<ArmedService> => arm.call(preparation, trial, params) }),
    };
  }
}

export type Service = Bindable<BoundService> &
  Pick<ServicePlugin, 'kind' | 'overUdp' | 'canPause' | 'files'> & {
    /** True if the clients of the service have access to the Internet. */
    isOutside: boolean;
    /** True if the service can run on the machines of a lab with at least some of its parameters. */
    isOverMachines: boolean;
    /** True if one instance of the service can represent several users. */
    isForMany: boolean;
  };

export function serviceOf(plugin: ServicePlugin): Service {
  const { kind, overUdp, canPause, files } = plugin;
  return {
    ...bindable(plugin, params => new BoundService(plugin, params)),
    kind,
    ...(overUdp === undefined ? {} : { overUdp }),
    ...(canPause === undefined ? {} : { canPause }),
    ...(files === undefined ? {} : { files }),
    isOutside: plugin.outside !== undefined,
    isOverMachines: plugin.overMachines !== undefined,
    isForMany: plugin.together !== undefined,
  };
}
