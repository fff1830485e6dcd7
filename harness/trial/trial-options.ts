/** Options of a trial. */
import type { Clock } from '../../core/system/clock.ts';
import type { DeviceReading } from '../../core/system/network.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Measure } from '../../core/vocabulary/measure.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import type { Application } from '../definition/applications.ts';
import type { Condition } from '../definition/conditions.ts';
import type { Trial, TrialTimes } from '../definition/trial.ts';
import type { SeriesListeners } from '../record/schema/series-listeners.ts';
import type { NetworkReading } from '../record/trial-file.ts';
import type { PreparedService } from '../services/service.ts';
import type { ApplicationOptions } from './application-run.ts';
import type { Proof } from './link-proof.ts';
import type { LiveTrial } from './live-trial.ts';
import type { ProbeMakers } from './probes.ts';
import type { TrialCommands } from './trial-commands.ts';

/** The part of a link that a trial uses. */
type TrialLink = Pick<
  ShapedLink,
  'set' | 'change' | 'failed' | 'traces' | 'start' | 'verify' | 'counters' | 'endLog' | 'clear'
>;

/** Callbacks for observers of a running trial. */
export type Onlookers = {
  /** Called at each reading in the window. */
  onLive(values: LiveTrial): void;
  /** Called when the window begins. The commands are for a window without end. */
  onWindow?(commands: TrialCommands): void;
  /** Called when the trial ends, before anything is stopped. */
  onEnd?(): void;
  /** Returns listeners to the records of an application; null: to those of the trial itself. */
  listenersOf?(application: string | null): SeriesListeners | undefined;
  /** Interval of readings in the window, ms. Default: 1000. */
  sampleMs?: number;
};

export type TrialOptions = Onlookers & {
  study: string;
  /** `windowMs` may be infinite. */
  times: TrialTimes;
  trial: Trial;
  condition: Condition;
  attempt: number;
  /** Settings for the live values. Default: `defaultMeasure`. */
  measure?: Measure;
  /** Existing, empty folder to which the trial writes. */
  directory: string;
  network: Pick<TestNetwork, 'router' | 'bottleneckDevice' | 'failed' | 'describe'>;
  /** Throws if the network is not as intended. Called before the link has any loss, which could drop the probes. */
  checkNetwork(): Promise<NetworkReading>;
  shapedLink: TrialLink;
  /** The link, with paths by host name. */
  link: Link;
  /** In the order of the condition. */
  applications: (Pick<ApplicationOptions, 'application' | 'network' | 'prepared' | 'outside' | 'tunnel'> & {
    /**
     * Prepares the service with other parameters. Only for an application that begins and ends by command, in a window
     * without end.
     */
    onDemand?: (changed: Application) => Promise<PreparedService>;
  })[];
  /**
   * Data that the clients of the applications have received from the link, in the order of the applications, without
   * those on demand.
   */
  received(): Promise<DeviceReading[]>;
  signal: AbortSignal;
  /** Proves the link; null if no proof is wanted. */
  prove(): Promise<Proof | null>;
  /** Default: the real clock and probes. */
  clock?: Clock;
  probes?: ProbeMakers;
};
