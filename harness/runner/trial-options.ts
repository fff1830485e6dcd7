/** What a trial is run with. */
import type { Clock } from '../../core/clock.ts';
import type { Link } from '../../core/link.ts';
import type { Measure } from '../../core/measure.ts';
import type { DeviceReading } from '../../core/network.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import type { Condition } from '../experiment/conditions.ts';
import type { Trial, TrialTimes } from '../experiment/trial.ts';
import type { NetworkReading } from '../record/trial-file.ts';
import type { ApplicationOptions } from './application-run.ts';
import type { Proof } from './link-proof.ts';
import type { LiveTrial } from './live-trial.ts';
import type { ProbeMakers } from './probes.ts';

/** As much of a link as a trial needs. */
type TrialLink = Pick<ShapedLink, 'set' | 'failed' | 'traces' | 'start' | 'verify' | 'counters' | 'endLog' | 'clear'>;

export type TrialOptions = {
  study: string;
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
  applications: Pick<ApplicationOptions, 'application' | 'network' | 'prepared' | 'outside' | 'tunnel'>[];
  /** What the clients of the applications have taken from the link, in the order of the condition. */
  received(): Promise<DeviceReading[]>;
  signal: AbortSignal;
  /** Has the link proved; null where that is not wanted. */
  prove(): Promise<Proof | null>;
  /** Called once a second of the window. */
  onLive(values: LiveTrial): void;
  /** The real ones where not said. */
  clock?: Clock;
  probes?: ProbeMakers;
};
