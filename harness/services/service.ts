/** The port of a service: a real client of a real server, whose quality is measured. */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { ClockOffset } from '../../core/system/clock.ts';
import type { Network } from '../../core/system/network.ts';
import type { ServiceKind } from '../../core/vocabulary/service-kinds.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';
import type { Series } from '../record/schema/series.ts';
import type { TransportReading } from '../record/transport.ts';
import type { WindowPlace } from '../trial/browser/launch.ts';

/** Created once for a study; outlives each trial. */
export type StudyContext = {
  /** Hosts of the server and of the clients; a service uses no others. */
  network: Network;
  /** Folder for temporary files. */
  scratch: string;
  headed: boolean;
  /** SHA-256 (hexadecimal) of each file that the study names, by absolute path. Undefined: it names no files. */
  files?: Readonly<Record<string, string>>;
  /** Position and title of the viewer's window, for people who watch. Undefined: the browser decides. */
  window?: { place: WindowPlace; caption: string };
};

/** A client's access to the Internet. */
export type Outside = {
  /** Address of the name server that the client uses. */
  nameServer: string;
  /**
   * True if an address is refused: private networks and this machine's addresses. Code that resolves names by other
   * means must check with this as well.
   */
  isRefused(address: string): boolean;
  /** Rejects when the access was closed because its firewall rules were gone. */
  lost: Promise<never>;
};

export type TrialContext = {
  /** Folder of the trial's record. */
  directory: string;
  /** Writes a record into a series of the application: what its user received, its processes, its sockets. */
  write<R extends object>(series: Series<R>, record: R): void;
  /** Base round-trip time of the application's path, ms, from which deadlines are computed. Undefined: 0. */
  baseRttMs?: number;
  /** Access to the Internet; only for services that need it (`outside`). */
  outside?: Outside;
  /** Tunnel that carries the packets; only for services that support it (`overUdp`), if the definition has a tunnel. */
  tunnel?: TunnelEntrance;
};

/** A tunnel as the service sees it. */
type TunnelEntrance = {
  /**
   * Starts the tunnel for the one UDP port at which the service's server receives. No packet passes before this
   * resolves.
   */
  carry(port: number): Promise<void>;
};

/** Values of the last second, for the terminal. */
export type LiveValues = {
  /** Null if the service shows no frames. */
  framesPerSecond: number | null;
  goodputBps: number;
  /**
   * Set when the viewer's connection has failed. From then on the viewer's picture is frozen, and the network is the
   * cause.
   */
  lost: boolean;
};

export interface RunningService {
  /** Rejects when a part of the service dies before `stop`. */
  readonly failed: Promise<never>;
  /** First use of the service, harness clock: first frame, first bytes or first page. */
  readonly readyMs: number;
  /**
   * Writes everything since the last call into the record. Called once a second, at both ends of the window, and a last
   * time before `stop`.
   */
  collect(): Promise<LiveValues>;
  /** Clock offsets of server and client, relative to the harness. */
  clocks(): Promise<{ server: ClockOffset; page: ClockOffset }>;
  /** Facts for the record: versions, encoder, clip. */
  describe(): Record<string, unknown>;
  /** Sentences about the content that the service sent, which become notes of the verdict. Undefined: none. */
  notes?(): readonly string[];
  /**
   * Congestion control that the flows really use, by the last reading. Null if the service has no TCP or QUIC flows, or
   * none has carried data yet. Still available after `stop`.
   */
  transport(): TransportReading | null;
  /** Ends the service at any time. Afterwards the files of the record are complete and nothing more is written. */
  stop(): Promise<void>;
}

/** A service that is prepared for a trial but not started. Everything slow, such as starting programs, is done. */
export interface ArmedService {
  /**
   * Starts the service at once; resolves when it is in use. Called at most once. After a failure nothing is left
   * running.
   */
  begin(): Promise<RunningService>;
  /** Ends a service that has not begun and will not begin. */
  stop(): Promise<void>;
}

/** The part of a service that is shared by trials whose parameters give the same key. */
export interface Preparation<P = unknown> {
  /** See `PreparedService`. */
  open(trial: TrialContext, params: P): Promise<RunningService>;
  arm?(trial: TrialContext, params: P): Promise<ArmedService>;
  close(): Promise<void>;
}

/** A service that one trial after another can use. */
export interface PreparedService {
  /** Starts the service; resolves when it is in use. */
  open(trial: TrialContext): Promise<RunningService>;
  /**
   * Does the part of `open` that comes before the use, for a service that begins at a planned time. Undefined: `open`
   * does all.
   */
  arm?(trial: TrialContext): Promise<ArmedService>;
}

/**
 * The export of a service's folder. `P`: its checked parameters. All other code uses it through `Service`
 * (bound-service.ts), which binds it to parameters once.
 */
export type ServicePlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  kind: ServiceKind;
  /**
   * Highest rate that the service declares for an empty link, bit/s as the link counts (shared/on-link.ts). Null:
   * unlimited.
   */
  capBps(params: P): number | null;
  /** Milliseconds from `readyMs` until the use is steady: buffers are full, rates have settled. */
  warmUpMs(params: P): number;
  /**
   * Milliseconds from `readyMs` until the service ends without `stop`, such as at the end of a video. Undefined: it has
   * no end.
   */
  longestMs?(params: P): number;
  /**
   * Clients of one instance, each on its own host: `clientsOf` of its network (core/system/network.ts). Undefined: one.
   */
  clients?(params: P): number;
  /** Flows that carry data to each client. Undefined: one. */
  flows?(params: P): number;
  /** Congestion controller of the media server. Undefined: the service has no media server. */
  controller?(params: P): { id: string; title: string; changed?: Record<string, unknown> };
  /** Processor cores that one instance keeps busy, both ends together. Undefined: not known. */
  cores?(params: P): number;
  /**
   * BBRv3 budget that the service needs, of which the kernel has a single instance. Null: it needs no BBRv3 with these
   * parameters. Undefined: it never needs BBRv3.
   */
  neededBbr3?(params: P): Bbr3Budget | null;
  /**
   * Congestion control that the service asks of the kernel. Null: none with these parameters. Undefined: it never asks
   * for one.
   */
  kernelControl?(params: P): string | null;
  /**
   * Parameters with which one instance represents `users` users of the same kind, who begin within `spreadMs` of each
   * other. Undefined: each user takes one instance.
   */
  together?(params: P, users: number, spreadMs: number): Record<string, unknown>;
  /**
   * Throws if this machine or the parameters cannot run the service; called before anything is started. `scriptSha256`:
   * hash (hexadecimal) of the module that it runs (`runsModule`); it runs no other.
   */
  check(params: P, headed: boolean, scriptSha256?: string): Promise<void>;
  /**
   * First address that the service opens in the Internet. In trials with this service its client has access to the
   * Internet, through the bottleneck; in other trials no client has. Undefined: the service reaches only the study's
   * own network.
   */
  outside?(params: P): { host: string; port: number };
  /**
   * True if all relevant data travels in UDP packets to one port of the server, so that a tunnel can carry it. The
   * service passes that port to `TrialContext.tunnel`.
   */
  overUdp?: boolean;
  /**
   * Reason why the service cannot run on hosts that are other machines. Null if it can, because it uses only what any
   * host can do (core/system/host.ts). Undefined: it needs this machine, as a browser does.
   */
  overMachines?(params: P): string | null;
  /**
   * Describes the files that the service uses and what it does with them, one line each, for the dry run. Throws if it
   * cannot use them. Undefined: it has nothing to report about files.
   */
  inspect?(params: P): Promise<string[]>;
  /**
   * Path of the user's module that the service runs with all rights of the harness. Null: none with these parameters.
   * Undefined: it never runs one.
   */
  runsModule?(params: P): string | null;
  /**
   * Parameters that are paths of files. Each has a function that is true for values that name shipped files. Undefined:
   * there are none.
   */
  files?: Readonly<Record<string, (value: string) => boolean>>;
  /** Key of a preparation: trials with the same key share one. */
  preparationKey(params: P): string;
  prepare(context: StudyContext, params: P): Promise<Preparation<P>>;
};
