/** Where what a service tells is written: its series in a folder, and beside it in memory what the verdict needs. */
import type { EstimateMeter } from '../derive/estimate-meter.ts';
import type { FlowLimitMeter } from '../derive/flow-limits.ts';
import type { LiveMeter } from '../derive/live-meter.ts';
import type { CallerRecord, PageRecord, SenderRecord, ServiceRecord } from '../record/series.ts';
import type { TrialContext } from '../services/service.ts';
import type { applicationSeries, SeriesWriter } from './series-writer.ts';

/** What the parts of a service told of their own punctuality. */
type ServiceVitals = {
  sender: SenderRecord[];
  caller: CallerRecord[];
  page: PageRecord[];
  service: ServiceRecord[];
};

export function noVitals(): ServiceVitals {
  return { sender: [], caller: [], page: [], service: [] };
}

/**
 * Who is told beside the files: `live` of what the user gets, `estimates` of what its connections take the path to
 * carry, `limits` of what held them back.
 */
type Listeners = {
  vitals: ServiceVitals;
  live?: LiveMeter | undefined;
  estimates?: EstimateMeter | undefined;
  limits?: FlowLimitMeter | undefined;
};

export function serviceSeries(
  directory: string,
  series: SeriesWriter<typeof applicationSeries>,
  { vitals, live, estimates, limits }: Listeners,
): TrialContext {
  const kept =
    <T extends object>(name: keyof ServiceVitals, list: T[]) =>
    (record: T) => {
      list.push(record);
      series.write(name, record);
    };
  return {
    directory,
    frames: record => {
      live?.presented(record);
      series.write('presented', record);
    },
    stats: record => {
      live?.stats(record);
      series.write('stats', record);
    },
    connection: record => series.write('connection', record),
    tcp: record => {
      estimates?.tcp(record);
      limits?.tcp(record);
      series.write('tcp', record);
    },
    model: record => {
      estimates?.bbr3(record);
      series.write('bbr3', record);
    },
    page: kept('page', vitals.page),
    sender: kept('sender', vitals.sender),
    caller: kept('caller', vitals.caller),
    progress: kept('service', vitals.service),
  };
}
