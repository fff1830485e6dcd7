/**
 * What coexist-link costs as the emulator, on a link that is all but full: on a machine that does nothing else, and
 * beside processes that want every core. Its time holds what the kernel does for a packet that it sends, up to the
 * receiver's socket.
 */
import { join } from 'node:path';
import { formatRate } from '../../../core/text/units.ts';
import { plainLink } from '../../../core/vocabulary/link.ts';
import { Receiver, type SendReport, sendProbes } from '../../../shaper/calibrate/probe.ts';
import { emulatorConfiguration } from '../../../shaper/emulator/configuration.ts';
import type { BottleneckCounters, LinkCounters } from '../../../shaper/emulator/link-answers.ts';
import { LinkRedirect } from '../../../shaper/emulator/link-redirect.ts';
import type { Bench } from './bench.ts';
import { besideBusy } from './busy.ts';
import { atMost, type Measurement } from './row.ts';

const seconds = 4;
/** Of the rate. */
const load = 0.99;
const limits = [
  { rateBps: 40e6, ratio: 0.12 },
  { rateBps: 100e6, ratio: 0.25 },
] as const;
type Reading = Pick<LinkCounters, 'cpuMs'> & { bottleneck: Pick<BottleneckCounters, 'inPackets'> | null };

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

/**
 * Processor time of the emulator, of a core; null where the sender was late and did not load the link. Throws where the
 * packets did not pass through the emulator: it would cost nothing.
 */
export function costRatio(
  sender: Pick<SendReport, 'sent' | 'starved' | 'startMs' | 'endMs'>,
  before: Reading,
  after: Reading,
): number | null {
  const carried = after.bottleneck!.inPackets - before.bottleneck!.inPackets;
  if (carried < sender.sent / 2)
    throw new Error(`the emulator carried ${carried} of ${sender.sent} packets: they went another way`);
  return sender.starved ? null : (after.cpuMs - before.cpuMs) / (sender.endMs - sender.startMs);
}

/** Of a link that is formed for it. */
async function costOf(bench: Bench, rateBps: number, isBusy: boolean): Promise<number | null> {
  const {
    dumbbell: { hosts, addresses },
    bed: { scratch },
  } = bench;
  await bench.shapedLink.clear();
  const link = plainLink(rateBps, { unit: 'packets', value: 1000 });
  const redirect = await LinkRedirect.start(bench.dumbbell);
  const { program } = redirect;
  try {
    await redirect.set(
      emulatorConfiguration(
        link,
        link.paths,
        { down: { kind: 'fifo' }, up: null },
        { left: bench.dumbbell.left, seed: 1 },
      ),
    );
    const receiver = await Receiver.start(hosts.client, join(scratch, 'probes'));
    const sendAll = async () => {
      const before = await program.read();
      const sender = await sendProbes(hosts.server, addresses.client, receiver.port, {
        payloadBytes: 1472,
        rateBps: load * rateBps,
        seconds,
        prefillPackets: 0,
        overheadBytes: 14,
      });
      return costRatio(sender, before, await program.read());
    };
    try {
      return await (isBusy ? besideBusy(hosts.client, sendAll) : sendAll());
    } finally {
      await receiver.stop();
    }
  } finally {
    await redirect.stop();
  }
}

export const emulatorCost: readonly Measurement[] = limits.flatMap(({ rateBps, ratio }) =>
  [false, true].map(
    (isBusy): Measurement => ({
      rows: [
        atMost(
          `emulator: its processor time under ${load * 100} % of ` +
            `${formatRate(rateBps)}${isBusy ? ' beside two busy processes' : ''}, of a core`,
          ratio,
          percent,
        ),
      ],
      async measure(bench) {
        const cost = await costOf(bench, rateBps, isBusy);
        // a machine that stands still takes no processor time
        return { outcomes: cost === null ? null : [{ value: cost, reached: cost <= ratio }], beside: [] };
      },
    }),
  ),
);
