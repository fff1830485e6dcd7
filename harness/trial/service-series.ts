/**
 * Writes the records of a service into series, and passes them on to the code that computes verdict and live values.
 */
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

/** Records with the delays of the parts of a service. The verdict is computed from them. */
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
 * `vitals`: collects the records for the verdict. `live`: gets the data that the user receives. `estimates`: gets
 * bandwidth estimates of the connections. `limits`: gets receive windows and send buffers that limited flows.
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
