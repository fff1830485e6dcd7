/** What a trial is run with. */
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

/** As much of a link as a trial needs. */
type TrialLink = Pick<
  ShapedLink,
  'set' | 'change' | 'failed' | 'traces' | 'start' | 'verify' | 'counters' | 'endLog' | 'clear'
>;

/** Those who look on while a trial runs. */
export type Onlookers = {
  /** Called at each reading of the window. */
  onLive(values: LiveTrial): void;
  /** Called when the window begins. The commands are for a window without end. */
  onWindow?(commands: TrialCommands): void;
  /** Called when the trial ends, before anything is stopped. */
  onEnd?(): void;
  /** Returns the listeners to the records of an application; null: to those of the trial itself. */
  listenersOf?(application: string | null): SeriesListeners | undefined;
  /** Time between two readings of the window, ms; a second by default. */
  sampleMs?: number;
};

export type TrialOptions = Onlookers & {
  study: string;
  /** `windowMs` may be infinite. */
  times: TrialTimes;
  trial: Trial;
  condition: Condition;
  attempt: number;
  /** For what is told while it runs. The default where not said. */
  measure?: Measure;
  /** Folder to write to; it exists and is empty. */
  directory: string;
  network: Pick<TestNetwork, 'router' | 'bottleneckDevice' | 'failed' | 'describe'>;
  /** Throws where the network is not what it should be; before any loss is there to lose the probes. */
  checkNetwork(): Promise<NetworkReading>;
  shapedLink: TrialLink;
  /** The link, its paths by the names of hosts. */
  link: Link;
  /** In the order of the condition. */
  applications: (Pick<ApplicationOptions, 'application' | 'network' | 'prepared' | 'outside' | 'tunnel'> & {
    /**
     * Only for one that begins and ends by command alone, in a window without end: makes its service ready with other
     * parameters.
     */
    onDemand?: (changed: Application) => Promise<PreparedService>;
  })[];
  /** What the clients of the applications have taken from the link, in their order; of none that is on demand. */
  received(): Promise<DeviceReading[]>;
  signal: AbortSignal;
  /** Has the link proved; null where that is not wanted. */
  prove(): Promise<Proof | null>;
  /** The real ones where not said. */
  clock?: Clock;
  probes?: ProbeMakers;
};
