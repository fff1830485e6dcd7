/** What a service is: a real client of a real server, whose quality is measured. */
import type { ClockOffset } from '../base/clock.ts';
import type { Network } from '../base/network.ts';
import type { Plugin } from '../base/plugins.ts';
import type { WindowPlace } from '../browser/launch.ts';
import type { CallerRecord, PageRecord, PresentedFrameRecord, SenderRecord, StatsRecord } from '../record/series.ts';

/** What outlives a trial: made once for a study. */
export type StudyContext = {
  network: Network;
  /** Folder for temporary files. */
  scratch: string;
  headed: boolean;
  /** Where the viewer's window stands on the screen and what it is called, for people who look on; without it the browser decides. */
  window?: { place: WindowPlace; caption: string };
};

export type TrialContext = {
  /** Folder of the trial's record. */
  directory: string;
  frames(record: PresentedFrameRecord): void;
  stats(record: StatsRecord): void;
  page(record: PageRecord): void;
  sender(record: SenderRecord): void;
  caller(record: CallerRecord): void;
};

/** The last second in numbers, for the terminal. */
export type LiveValues = {
  framesPerSecond: number;
  goodputBps: number;
  /** Set when the viewer's connection has given up: what it sees from now on is the network's doing, and stays so. */
  lost: boolean;
};

export interface RunningService {
  /** Rejects when a part of the service dies before `stop`. */
  readonly failed: Promise<never>;
  /** When the viewer saw the first picture. */
  readonly firstPictureMs: number;
  /** Collects what has come since the last call, into the record. Called once a second and at both ends of the window. */
  collect(): Promise<LiveValues>;
  /** How the clocks of server and client stand to the harness's. */
  clocks(): Promise<{ server: ClockOffset; page: ClockOffset }>;
  /** Facts for the record: versions, encoder, clip. */
  describe(): Record<string, unknown>;
  /** Ends the viewing; the record's files are whole afterwards. */
  stop(): Promise<void>;
}

/** A service that is ready to be used by one trial after another. */
export interface PreparedService {
  open(trial: TrialContext, params: never): Promise<RunningService>;
  close(): Promise<void>;
}

export type ServicePlugin = Plugin & {
  /** Throws where this machine or the parameters cannot do it; called before anything is started. */
  check(params: never, headed: boolean): Promise<void>;
  /** Trials whose parameters give the same key share one preparation. */
  preparationKey(params: never): string;
  prepare(context: StudyContext, params: never): Promise<PreparedService>;
};
