/** Writes the records of a service into its series, and keeps in memory those that the verdict needs. */
import type { EstimateMeter } from '../analysis/derive/estimate-meter.ts';
import type { FlowLimitMeter } from '../analysis/derive/flow-limits.ts';
import type { LiveMeter } from '../analysis/derive/live-meter.ts';
import { SeriesListeners } from '../record/schema/series-listeners.ts';
import { bbr3Series } from '../record/series/bbr3.ts';
import { type CallerRecord, callerSeries } from '../record/series/caller.ts';
import { presentedSeries } from '../record/series/frames.presented.ts';
import { type PageRecord, pageSeries } from '../record/series/page.ts';
import { type SenderRecord, senderSeries } from '../record/series/sender.ts';
import { type ServiceRecord, serviceSeries } from '../record/series/service.ts';
import { statsSeries } from '../record/series/stats.ts';
import { tcpSeries } from '../record/series/tcp.ts';
import type { TrialContext } from '../services/service.ts';
import type { SeriesWriter } from './series-writer.ts';

/** Records in which the parts of a service report their own delays. */
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
 * `vitals`: records for the verdict. `live`: data that the user gets. `estimates`: bandwidth estimates of the
 * connections. `limits`: receive windows and send buffers that held flows back.
 */
type Listeners = {
  vitals?: ServiceVitals | undefined;
  live?: LiveMeter | undefined;
  estimates?: EstimateMeter | undefined;
  limits?: FlowLimitMeter | undefined;
};

export function writeOf(writer: SeriesWriter, { vitals, live, estimates, limits }: Listeners): TrialContext['write'] {
  const listeners = new SeriesListeners()
    .on(senderSeries, record => vitals?.sender.push(record))
    .on(callerSeries, record => vitals?.caller.push(record))
    .on(pageSeries, record => vitals?.page.push(record))
    .on(serviceSeries, record => vitals?.service.push(record))
    .on(presentedSeries, record => live?.presented(record))
    .on(statsSeries, record => live?.stats(record))
    .on(pageSeries, record => live?.page(record))
    .on(tcpSeries, record => estimates?.tcp(record))
    .on(tcpSeries, record => limits?.tcp(record))
    .on(bbr3Series, record => estimates?.bbr3(record));
  return (series, record) => {
    listeners.tell(series, record);
    writer.write(series, record);
  };
}
