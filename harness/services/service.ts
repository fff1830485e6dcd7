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

/** Data that a service gets when it is prepared. Created once for a study; lasts for all of its trials. */
export type StudyContext = {
  /** Hosts of the server and of the clients. The service uses no other hosts. */
  network: Network;
  /** Folder for temporary files. */
  scratch: string;
  headed: boolean;
  /** SHA-256 (hexadecimal) of each file that the study names, by absolute path. Undefined: the study names no files. */
  files?: Readonly<Record<string, string>>;
  /** Position and title of the viewer's window, for people who watch. Undefined: the browser chooses both. */
  window?: { place: WindowPlace; caption: string };
};

/** A client's access to the Internet. */
export type Outside = {
  /** Address of the name server that the client uses. */
  nameServer: string;
  /**
   * True if the client must not reach this address: addresses of private networks and of this machine. Code that
   * resolves names without the name server must call this as well.
   */
  isRefused(address: string): boolean;
  /** Rejects if the firewall rules that restrict the access are gone or allow too much; the access is then closed. */
  lost: Promise<never>;
};

export type TrialContext = {
  /** Folder of the trial's record. */
  directory: string;
  /** Writes a record into a series of the application, such as the data that its user received or its sockets. */
  write<R extends object>(series: Series<R>, record: R): void;
  /** Base round-trip time of the application's path, ms. Deadlines are computed from it. Undefined: 0. */
  baseRttMs?: number;
  /** Seed of the application's random choices, the same in all conditions of a repeat. Undefined: 0. */
  seed?: number;
  /** Access to the Internet; set only for services that need it (`outside`). */
  outside?: Outside;
  /**
   * Tunnel that carries the packets. Set only if the definition has a tunnel, which only services with `overUdp`
   * support.
   */
  tunnel?: TunnelEntrance;
};

/** The part of a tunnel that the service uses. */
type TunnelEntrance = {
  /**
   * Starts the tunnel for the UDP port at which the service's server receives. No packet passes before the promise
   * resolves.
   */
  carry(port: number): Promise<void>;
};

/** Live values of the last second, for the terminal. */
export type LiveValues = {
  /** Null if the service shows no frames. */
  framesPerSecond: number | null;
  goodputBps: number;
  /** True once the viewer's connection has failed. From then on the picture is frozen, because of the network. */
  lost: boolean;
};

export interface RunningService {
  /** Rejects when a part of the service dies before `stop`. */
  readonly failed: Promise<never>;
  /** Time of the first frame, first bytes or first page, on the harness's clock. */
  readonly readyMs: number;
  /**
   * Writes everything since the last call into the record. Called once a second, at both ends of the window, and once
   * more before `stop`.
   */
  collect(): Promise<LiveValues>;
  /** Offsets of the clocks of server and page, relative to the harness's clock. */
  clocks(): Promise<{ server: ClockOffset; page: ClockOffset }>;
  /** Facts for the record: versions, encoder, clip. */
  describe(): Record<string, unknown>;
  /** Sentences about the content that the service sent; they become notes of the verdict. Undefined: there are none. */
  notes?(): readonly string[];
  /**
   * Congestion control that the flows really use, as last read. Null if the service has no TCP or QUIC flows, or if no
   * flow has carried data yet. Still returns the last value after `stop`.
   */
  transport(): TransportReading | null;
  /**
   * Stops sending media, or goes on with it, while the connection lives; resolves when it is done. Undefined: the
   * service has not `canPause`.
   */
  setPaused?(isPaused: boolean): Promise<void>;
  /** Ends the service; may be called at any time. When it resolves, the files of the record are complete. */
  stop(): Promise<void>;
}

/** A service that is prepared for a trial but not started. Slow steps, such as starting programs, are done. */
export interface ArmedService {
  /**
   * Starts the service without delay; resolves when it is in use. Called at most once. After an error nothing of the
   * service is left running.
   */
  begin(): Promise<RunningService>;
  /** Ends a service for which `begin` was not called and will not be called. */
  stop(): Promise<void>;
}

/**
 * Prepared parts of a service, such as a loaded clip. Trials whose parameters give the same `preparationKey` share
 * them.
 */
export interface Preparation<P = unknown> {
  /** See `PreparedService.open`. */
  open(trial: TrialContext, params: P): Promise<RunningService>;
  arm?(trial: TrialContext, params: P): Promise<ArmedService>;
  close(): Promise<void>;
}

/** A service that successive trials can use. */
export interface PreparedService {
  /** Starts the service for a trial; resolves when it is in use. */
  open(trial: TrialContext): Promise<RunningService>;
  /**
   * Does the slow part of `open` in advance, for a service that begins at a planned time. Undefined: `open` does
   * everything.
   */
  arm?(trial: TrialContext): Promise<ArmedService>;
}

/** Clip that a service shows. `maxSeconds`: length of the part that is shown, from the start. */
export type ShownClip = { path: string; width: number; height: number; frameRate: number; maxSeconds: number };

/**
 * Interface of a service that its folder exports. `P`: type of the checked parameters. All other code uses the service
 * through `Service` (bound-service.ts), which binds it to parameters once.
 */
export type ServicePlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  kind: ServiceKind;
  /**
   * Highest rate that the service reaches on an empty link, bit/s, with the headers that the link counts
   * (shared/on-link.ts). Null: unlimited.
   */
  capBps(params: P): number | null;
  /** Milliseconds from `readyMs` until the rate of the service is steady. */
  warmUpMs(params: P): number;
  /**
   * Milliseconds from `readyMs` until the service ends without a call of `stop`, such as at the end of a video.
   * Undefined: the service has no end.
   */
  longestMs?(params: P): number;
  /**
   * Number of clients of one instance, each on its own host (`clientsOf` in core/system/network.ts). Undefined: one.
   */
  clients?(params: P): number;
  /** Number of flows that carry data to each client. Undefined: one. */
  flows?(params: P): number;
  /** Congestion controller of the media server. Undefined: the service has no media server. */
  controller?(params: P): { id: string; title: string; changed?: Record<string, unknown> };
  /** ECN field that the media server's packets have. Null, or undefined: they are not ECN-capable. */
  ect?(params: P): 'ect0' | 'ect1' | null;
  /** Frames per second that the service captures. Undefined: it captures no video. */
  frameRate?(params: P): number;
  /** Clip whose frames the service shows, if a client can keep the video. Undefined: no client keeps it. */
  shownClip?(params: P): ShownClip;
  /**
   * Returns the parameters that a second instance needs changed to share a host with the first, such as a port.
   * Undefined: none.
   */
  onSameHost?(params: P): Partial<P>;
  /** Number of processor cores that server and clients of one instance keep busy together. Undefined: not known. */
  cores?(params: P): number;
  /**
   * BBRv3 budget that the service needs; the kernel can have only one at a time. Null: the service needs no BBRv3 with
   * these parameters. Undefined: it never needs BBRv3.
   */
  neededBbr3?(params: P): Bbr3Budget | null;
  /**
   * Congestion control that the service requests from the kernel. Null: none with these parameters. Undefined: the
   * service never requests one.
   */
  kernelControl?(params: P): string | null;
  /**
   * Returns parameters with which one instance represents `users` users of the same kind, who begin within `spreadMs`
   * of each other. Undefined: each user needs an instance.
   */
  together?(params: P, users: number, spreadMs: number): Record<string, unknown>;
  /**
   * Throws if this machine or the parameters cannot run the service; called before anything is started. `scriptSha256`:
   * hash (hexadecimal) of the user's module (`runsModule`). A module with another hash is refused.
   */
  check(params: P, headed: boolean, scriptSha256?: string): Promise<void>;
  /**
   * First address that the service opens in the Internet. The client of such a service has access to the Internet
   * through the bottleneck; clients of other services have none. Undefined: the service reaches only the study's own
   * network.
   */
  outside?(params: P): { host: string; port: number };
  /**
   * True if all relevant data travels in UDP packets to one port of the server, so that a tunnel can carry them. The
   * service passes the port to `TrialContext.tunnel`.
   */
  overUdp?: boolean;
  /** True if the service in use has `setPaused`. */
  canPause?: boolean;
  /**
   * Reason why the service cannot run on the machines of a lab. Null if it can, because it uses only the functions that
   * every host has (core/system/host.ts). Undefined: the service needs this machine, for example for a browser.
   */
  overMachines?(params: P): string | null;
  /**
   * Returns a line for each file that the service uses, with its use, for the dry run. Throws if a file cannot be used.
   * Undefined: the service has nothing to report about files.
   */
  inspect?(params: P): Promise<string[]>;
  /**
   * Path of the user's module that the service runs with all rights of the harness. Null: none with these parameters.
   * Undefined: the service never runs one.
   */
  runsModule?(params: P): string | null;
  /**
   * Names of the parameters that are paths of files, with "audio.voice" for a parameter in another. The function of a
   * parameter returns true if its value names a shipped file. Undefined: there are none.
   */
  files?: Readonly<Record<string, (value: string) => boolean>>;
  /** Key of the parts that `prepare` makes. Trials with the same key share them. */
  preparationKey(params: P): string;
  prepare(context: StudyContext, params: P): Promise<Preparation<P>>;
};
