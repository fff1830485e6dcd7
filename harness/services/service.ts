/** The interface of a service: a real client of a real server, whose quality is measured. */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { ClockOffset } from '../../core/system/clock.ts';
import type { Network } from '../../core/system/network.ts';
import type { ServiceKind } from '../../core/vocabulary/service-kinds.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';
import type { Series } from '../record/schema/series.ts';
import type { TransportReading } from '../record/transport.ts';
import type { WindowPlace } from '../trial/browser/launch.ts';

/** What is created once for a study and outlives a trial. */
export type StudyContext = {
  /** A service uses the hosts of its server and of its clients, and no other. */
  network: Network;
  /** Folder for temporary files. */
  scratch: string;
  headed: boolean;
  /** SHA-256 of the files that the study names, hexadecimal, by their whole paths. Not there: it names none. */
  files?: Readonly<Record<string, string>>;
  /**
   * Where the viewer's window stands on the screen and what it is called, for people who look on; without it the
   * browser decides.
   */
  window?: { place: WindowPlace; caption: string };
};

/** What a client's access to the Internet is like. */
export type Outside = {
  /** Address of the name server for what the client opens. */
  nameServer: string;
  /**
   * Whether an address is refused: private networks and those of this machine. Code that resolves names elsewhere has
   * to check as well.
   */
  isRefused(address: string): boolean;
  /** Rejects when the access was closed because its firewall rules were gone. */
  lost: Promise<never>;
};

export type TrialContext = {
  /** Folder of the trial's record. */
  directory: string;
  /** Takes down a record of one of the application's series: what its user got, its parts, its sockets. */
  write<R extends object>(series: Series<R>, record: R): void;
  /** Base round-trip time of its path, ms, for its deadlines; 0 where not said. */
  baseRttMs?: number;
  /** Its access to the Internet; only for a service that goes there (`outside`). */
  outside?: Outside;
  /** What its packets travel in; only for a service that can (`overUdp`), where the definition has one. */
  tunnel?: TunnelEntrance;
};

/** A tunnel as the service sees it, which its packets travel in without more ado. */
type TunnelEntrance = {
  /**
   * Starts it for the UDP port at which the service's server takes packets; there is one. Nothing passes before this has
   * resolved.
   */
  carry(port: number): Promise<void>;
};

/** The last second in numbers, for the terminal. */
export type LiveValues = {
  /** Null where it shows no frames. */
  framesPerSecond: number | null;
  goodputBps: number;
  /**
   * Set when the viewer's connection has failed: what the viewer sees from now on is caused by the network, and does
   * not change any more.
   */
  lost: boolean;
};

export interface RunningService {
  /** Rejects when a part of the service dies before `stop`. */
  readonly failed: Promise<never>;
  /** When the service began to be used, harness clock: first frame, first bytes, first page. */
  readonly readyMs: number;
  /**
   * Collects what has come since the last call, into the record. Called once a second, at both ends of the window, and
   * last before `stop`.
   */
  collect(): Promise<LiveValues>;
  /** How the clocks of server and client stand to the harness's. */
  clocks(): Promise<{ server: ClockOffset; page: ClockOffset }>;
  /** Facts for the record: versions, encoder, clip. */
  describe(): Record<string, unknown>;
  /** Sentences about what it was given to send, which the verdict notes. Not there: none. */
  notes?(): readonly string[];
  /**
   * What its flows really use, as it was read last; null where it has none over TCP or QUIC, or none has carried data
   * yet. Stays after `stop`.
   */
  transport(): TransportReading | null;
  /** Ends the use of it, at whatever time; the record's files are whole afterwards, and nothing is written any more. */
  stop(): Promise<void>;
}

/**
 * A service that is fully prepared for a trial but not started: everything that takes time, such as starting programs,
 * is done.
 */
export interface ArmedService {
  /** Begins its use at once; resolves when it is in use. Called at most once. One that fails leaves nothing. */
  begin(): Promise<RunningService>;
  /** Ends one that has not begun and shall not. */
  stop(): Promise<void>;
}

/** The part of a service that trials share whose parameters give the same key. */
export interface Preparation<P = unknown> {
  /** See `PreparedService`. */
  open(trial: TrialContext, params: P): Promise<RunningService>;
  arm?(trial: TrialContext, params: P): Promise<ArmedService>;
  close(): Promise<void>;
}

/** A service that is ready to be used by one trial after another. */
export interface PreparedService {
  /** Begins its use; resolves when it is in use. */
  open(trial: TrialContext): Promise<RunningService>;
  /**
   * The part of `open` that comes before its use, for one that begins at a time of its own. Not there: `open` does all.
   */
  arm?(trial: TrialContext): Promise<ArmedService>;
}

/**
 * The export of a service's folder. `P`: its parameters, checked. Everything else uses it through `Service`
 * (bound-service.ts), which binds it to parameters once.
 */
export type ServicePlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  kind: ServiceKind;
  /**
   * The highest rate that the service would use on an empty link, as it declares, bit/s as the link counts
   * (shared/on-link.ts); null: unlimited.
   */
  capBps(params: P): number | null;
  /** How long from `readyMs` until it uses what it will go on using: buffers are full, rates have settled. */
  warmUpMs(params: P): number;
  /** How long it can be used from `readyMs` on, where it ends by itself: a video is over. Not there: without end. */
  longestMs?(params: P): number;
  /**
   * Clients of one use of it, each on a host of its own: `clientsOf` of its network (core/system/network.ts). Not there: one.
   */
  clients?(params: P): number;
  /** Flows that carry its data to each client. Not there: one. */
  flows?(params: P): number;
  /** The congestion controller of its media server. Not there: it has no such server. */
  controller?(params: P): { id: string; title: string; changed?: Record<string, unknown> };
  /** Processor cores that a use of it keeps busy, its two ends together. Not there: not known. */
  cores?(params: P): number;
  /**
   * The budget with which it needs BBRv3, of which the kernel has a single instance; null: it needs none. If the
   * property is missing, it never needs BBRv3.
   */
  neededBbr3?(params: P): Bbr3Budget | null;
  /** The congestion control that it asks of the kernel; null: none. If the property is missing, it never asks for one. */
  kernelControl?(params: P): string | null;
  /**
   * The parameters with which one instance of the service represents that many users of the same kind, who begin within
   * `spreadMs` of each other. If missing, each user takes one instance.
   */
  together?(params: P, users: number, spreadMs: number): Record<string, unknown>;
  /**
   * Throws where this machine or the parameters cannot do it; called before anything is started. `scriptSha256`: of the
   * module that it runs (`runsModule`), hexadecimal; it runs no other.
   */
  check(params: P, headed: boolean, scriptSha256?: string): Promise<void>;
  /**
   * What it opens first in the Internet. In trials in which it takes part, and in no others, its client has
   * access to it, through the bottleneck. Not there: it is isolated from everything but the study's own network.
   */
  outside?(params: P): { host: string; port: number };
  /**
   * True if all its relevant data travels in UDP packets to one port of its server, so that a tunnel can carry it. It
   * passes that port to `TrialContext.tunnel`.
   */
  overUdp?: boolean;
  /**
   * Why it cannot run on hosts that are other machines; null if it can, because it uses only what any host can do
   * (core/system/host.ts). If missing, it needs this machine, as a browser does.
   */
  overMachines?(params: P): string | null;
  /**
   * What the files are that it uses, and what it will do with them, a line each: for the dry run. Throws where it cannot
   * use them. Not there: it uses none of which there is anything to say.
   */
  inspect?(params: P): Promise<string[]>;
  /** Path of the user's own module that it runs with all the harness's rights; null: none. Not there: it never does. */
  runsModule?(params: P): string | null;
  /** Parameters that are paths of files, and which of their values name what is shipped. Not there: it has none. */
  files?: Readonly<Record<string, (value: string) => boolean>>;
  /** Trials whose parameters give the same key share one preparation. */
  preparationKey(params: P): string;
  prepare(context: StudyContext, params: P): Promise<Preparation<P>>;
};
