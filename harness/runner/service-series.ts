/** Where what a service tells is written: its series in a folder, and beside it in memory what the verdict needs. */
import type { LiveMeter } from '../derive/live-meter.ts';
import type { CallerRecord, PageRecord, SenderRecord, ServiceRecord } from '../record/series.ts';
import type { RunningService, TrialContext } from '../services/service.ts';
import type { SeriesWriter } from './series-writer.ts';

/** What the parts of a service told of their own punctuality. */
export type ServiceVitals = { sender: SenderRecord[]; caller: CallerRecord[]; page: PageRecord[]; service: ServiceRecord[] };

export function noVitals(): ServiceVitals {
  return { sender: [], caller: [], page: [], service: [] };
}

/** `live`: who else is told of what the viewer gets. */
export function serviceSeries(directory: string, series: SeriesWriter, vitals: ServiceVitals, live?: LiveMeter): TrialContext {
  const kept = <T extends object>(name: keyof ServiceVitals, list: T[]) => (record: T) => {
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
    page: kept('page', vitals.page),
    sender: kept('sender', vitals.sender),
    caller: kept('caller', vitals.caller),
    progress: kept('service', vitals.service),
    tcp: record => series.write('tcp', record),
    model: record => series.write('bbr3', record),
  };
}

/** What a service says of itself, as trial.json has it. */
export function accountOf(service: RunningService): Record<string, unknown> {
  return { ...service.describe(), transport: service.transport() };
}
