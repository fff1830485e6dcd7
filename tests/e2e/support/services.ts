/** Services in use between the hosts of a real network, without the rest of a trial. */
import { tmpdir } from 'node:os';
import { pick } from '../../../core/plugins.ts';
import { sleep } from '../../../core/system/deadline.ts';
import type { Lease } from '../../../core/system/lease.ts';
import type { Network } from '../../../core/system/network.ts';
import { SeriesListeners } from '../../../harness/record/schema/series-listeners.ts';
import { type Bbr3Record, bbr3Series } from '../../../harness/record/series/bbr3.ts';
import { type PageRecord, pageSeries } from '../../../harness/record/series/page.ts';
import { type ServiceRecord, serviceSeries } from '../../../harness/record/series/service.ts';
import { type TcpRecord, tcpSeries } from '../../../harness/record/series/tcp.ts';
import type { TransportReading } from '../../../harness/record/transport.ts';
import type { LiveValues, RunningService, TrialContext } from '../../../harness/services/service.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';

const { services } = await loadRegistries();

export type Used = {
  records: ServiceRecord[];
  page: PageRecord[];
  /** One reading a second. */
  live: LiveValues[];
  /** From opening to use. */
  readyAfterMs: number;
  tcp: TcpRecord[];
  model: Bbr3Record[];
  description: Record<string, unknown>;
  /** As it was when the service was stopped. */
  transport: TransportReading | null;
};

/**
 * Opens a service, reads it once a second for so long, stops it. `meanwhile` may do something to it after the first
 * reading.
 */
export async function useService(
  lease: Lease,
  network: Network,
  id: string,
  given: object,
  seconds: number,
  meanwhile: (running: RunningService) => Promise<void> = async () => {},
): Promise<Used> {
  const service = pick(services, id, 'service').bind(given, id);
  await service.check(false);
  const prepared = await service.prepare({ network, scratch: lease.scratch, headed: false });
  const used: Used = {
    records: [],
    page: [],
    tcp: [],
    model: [],
    live: [],
    readyAfterMs: 0,
    description: {},
    transport: null,
  };
  const listeners = new SeriesListeners()
    .on(pageSeries, record => used.page.push(record))
    .on(serviceSeries, record => used.records.push(record))
    .on(tcpSeries, record => used.tcp.push(record))
    .on(bbr3Series, record => used.model.push(record));
  const trial: TrialContext = {
    directory: tmpdir(),
    write: listeners.tell,
  };
  try {
    const startMs = performance.timeOrigin + performance.now();
    const running = await service.use(prepared).open(trial);
    try {
      used.readyAfterMs = running.readyMs - startMs;
      for (let k = 0; k <= seconds; k++) {
        used.live.push(await Promise.race([running.failed, running.collect()]));
        if (k === 0) await meanwhile(running);
        if (k < seconds) await sleep(1000);
      }
      used.description = running.describe();
    } finally {
      await running.stop();
      used.transport = running.transport();
    }
  } finally {
    await prepared.close();
  }
  return used;
}

/** Those of one kind. */
export function ofKind<K extends ServiceRecord['kind']>(
  records: readonly ServiceRecord[],
  kind: K,
): Extract<ServiceRecord, { kind: K }>[] {
  return records.filter((record): record is Extract<ServiceRecord, { kind: K }> => record.kind === kind);
}
