/** Options of a trial. */
import type { Clock } from '../../core/system/clock.ts';
import type { DeviceReading } from '../../core/system/network.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Measure } from '../../core/vocabulary/measure.ts';
import type { LinkChain } from '../../shaper/backend/link-chain.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import type { Application } from '../definition/applications.ts';
import type { Condition } from '../definition/conditions.ts';
import type { Trial, TrialTimes } from '../definition/trial.ts';
import type { SeriesListeners } from '../record/schema/series-listeners.ts';
import type { NetworkReading } from '../record/trial-file.ts';
import type { PreparedService } from '../services/service.ts';
import type { ApplicationOptions } from './application-options.ts';
import type { Proof } from './link-proof.ts';
import type { LiveTrial } from './live-trial.ts';
import type { ProbeMakers } from './probes.ts';
import type { TrialCommands } from './trial-commands.ts';

/** Functions of the link that a trial uses. */
type TrialLink = Pick<
  LinkChain,
  'set' | 'change' | 'failed' | 'traces' | 'further' | 'start' | 'verify' | 'counters' | 'endLogs' | 'clear'
>;

/** Callbacks for observers of a running trial. */
export type Onlookers = {
  /** Called at each reading in the window. */
  onLive(values: LiveTrial): void;
  /** Called when the window begins. `commands` may be used only in a window without end. */
  onWindow?(commands: TrialCommands): void;
  /** Called when the trial ends, before any part is stopped. */
  onEnd?(): void;
  /** Returns listeners that get every record of an application, or of the trial if `application` is null. */
  listenersOf?(application: string | null): SeriesListeners | undefined;
  /** Time between readings in the window, ms. Default: 1000. */
  sampleMs?: number;
};

export type TrialOptions = Onlookers & {
  study: string;
  /** Times of the trial. `windowMs` may be infinite. */
  times: TrialTimes;
  trial: Trial;
  condition: Condition;
  attempt: number;
  /** Settings with which live values are computed. Default: `defaultMeasure`. */
  measure?: Measure;
  /** Existing, empty folder into which the trial writes its record. */
  directory: string;
  network: Pick<TestNetwork, 'router' | 'failed' | 'describe'> & {
    readonly hops: readonly Pick<TestNetwork, 'router' | 'bottleneckDevice'>[];
  };
  /**
   * Throws if the hosts are not connected as intended. Called before the link drops packets, since probes could get
   * lost.
   */
  checkNetwork(): Promise<NetworkReading>;
  shapedLink: TrialLink;
  /** The link. Its paths are named by host. */
  link: Link;
  /** Applications in the order of the condition. */
  applications: (Pick<ApplicationOptions, 'application' | 'network' | 'prepared' | 'outside' | 'tunnel'> & {
    /**
     * Prepares the service with other parameters. Set only for an application that begins and ends by command in a
     * window without end.
     */
    onDemand?: (changed: Application) => Promise<PreparedService>;
  })[];
  /**
   * Returns the data that each application's client has received from the link. Order: that of `applications`, without
   * those that begin by command.
   */
  received(): Promise<DeviceReading[]>;
  signal: AbortSignal;
  /** Proves the link. Returns null if no proof was requested or the link cannot be proved. */
  prove(): Promise<Proof | null>;
  /** Clock of the trial. Default: the real clock. */
  clock?: Clock;
  probes?: ProbeMakers;
};
