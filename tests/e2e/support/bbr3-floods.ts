/** Floods of BBRv3 between hosts that all tests of the file that imports this share, and what holds it apart from them. */
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Lease } from '../../../core/system/lease.ts';
import { SeriesListeners } from '../../../harness/record/schema/series-listeners.ts';
import { type Bbr3Record, bbr3Series } from '../../../harness/record/series/bbr3.ts';
import { type TcpRecord, tcpSeries } from '../../../harness/record/series/tcp.ts';
import type { TransportReading } from '../../../harness/record/transport.ts';
import { plugin as iperf3 } from '../../../harness/services/iperf/index.ts';
import type { RunningService } from '../../../harness/services/service.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { whyNoBbr3 } from './bbr3.ts';
import { shapedLinkOf, tcLink } from './links.ts';
import type { TwoSenders } from './two-senders.ts';

after(async () => {
  // before its folder goes
  if (skip !== false) return;
  await dumbbell.remove();
  lease.release();
});
process.env['COEXIST_STATE_DIR'] = temporaryFolder();
export const skip = (await whyNoBbr3()) ?? false;
/** True if the kernel has it now. */
export const offered = () =>
  readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').split(/\s+/).includes('bbr3');

let lease: Lease;
export let dumbbell: TwoSenders;
before(async () => {
  if (skip !== false) return;
  lease = Lease.open();
  dumbbell = await Dumbbell.build(lease, twoSenders);
  await shapedLinkOf(dumbbell).set(tcLink(20e6, { unit: 'packets', value: 100 }), 1);
});
/** A flood in use: `read`: what it really is, read now. */
type Running = { sample(): Promise<void>; read(): Promise<TransportReading>; failed: RunningService['failed'] };

/** Opens a flood, uses it, and stops it. `told`: its series. */
export async function flood(
  params: Record<string, unknown>,
  use: (running: Running, told: { tcp: TcpRecord[]; model: Bbr3Record[] }) => Promise<void>,
): Promise<void> {
  const told = { tcp: [] as TcpRecord[], model: [] as Bbr3Record[] };
  const network = dumbbell.network('other', 'client');
  const asked = iperf3.params.parse(params);
  const prepared = await iperf3.prepare({ network, scratch: lease.scratch, headed: false }, asked);
  const listeners = new SeriesListeners()
    .on(tcpSeries, record => told.tcp.push(record))
    .on(bbr3Series, record => told.model.push(record));
  const running = await prepared.open({ directory: lease.scratch, write: listeners.tell }, asked);
  const read = async () => {
    await running.collect();
    return running.transport()!;
  };
  try {
    await use({ sample: async () => void (await running.collect()), read, failed: running.failed }, told);
  } finally {
    await running.stop();
  }
}

/** Program that holds BBRv3 until its input ends. */
export const holding = `
  import { localHost } from '${fileURLToPath(new URL('../../../core/system/local-host.ts', import.meta.url))}';
  import { holdBbr3 } from '${fileURLToPath(new URL('../../../shaper/bbr3/loader.ts', import.meta.url))}';
  const held = await holdBbr3(localHost);
  process.stdout.write('held');
  for await (const _ of process.stdin);
  await held.release();`;
