/** Parts of which an application of a trial is made. */
import type { Clock } from '../../core/system/clock.ts';
import type { Network } from '../../core/system/network.ts';
import type { LiveMeter } from '../analysis/derive/live-meter.ts';
import type { Application } from '../definition/applications.ts';
import type { SeriesListeners } from '../record/schema/series-listeners.ts';
import type { Outside, PreparedService } from '../services/service.ts';
import type { TunnelOptions } from './application-tunnel.ts';

export type ApplicationOptions = {
  application: Application;
  /** Name of the application for people; errors of its parts begin with it. Undefined: they begin without a name. */
  caption: string | undefined;
  /** Network with the hosts on which the service runs. */
  network: Network;
  prepared: PreparedService;
  /** Folder of the trial's record. */
  directory: string;
  /** False: keeps nothing of the application on disk or in memory. Default: true. */
  isKept?: boolean;
  listeners?: SeriesListeners | undefined;
  /** Receives the data that the application's user gets. */
  live?: LiveMeter | undefined;
  /** Access to the Internet, for a service that uses it. */
  outside?: Outside | undefined;
  /** Base round-trip time of the application's path, ms. Undefined: 0. */
  baseRttMs?: number;
  /** Seed of the application's random choices. Undefined: 0. */
  seed?: number;
  /** Tunnel that carries the packets. Its ends are on the link, and the service runs on hosts behind them. */
  tunnel?: TunnelOptions | undefined;
  /** Default: the real clock. */
  clock?: Clock;
};
