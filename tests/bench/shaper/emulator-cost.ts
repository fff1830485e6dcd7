/** What coexist-link costs as the emulator, on a link that is all but full. */
import { join } from 'node:path';
import { plainLink } from '../../../core/link.ts';
import { formatRate } from '../../../core/units.ts';
import { Receiver, sendProbes } from '../../../shaper/calibrate/probe.ts';
import { emulatorConfiguration } from '../../../shaper/line/configuration.ts';
import { LinkRedirect } from '../../../shaper/line/link-redirect.ts';
import { atMost } from './row.ts';
import type { Measurement } from './row.ts';

const seconds = 4;
/** Of the rate. */
const load = 0.99;
const limits = [
  { rateBps: 40e6, ratio: 0.12 },
  { rateBps: 100e6, ratio: 0.25 },
] as const;
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

export const emulatorCost: readonly Measurement[] = limits.map(
  ({ rateBps, ratio }): Measurement => ({
    rows: [
      atMost(`emulator: its processor time under ${load * 100} % of ${formatRate(rateBps)}, of a core`, ratio, percent),
    ],
    async measure(bench) {
      const {
        dumbbell: { hosts, addresses },
        bed: { scratch },
      } = bench;
      await bench.box.clear();
      const link = plainLink(rateBps, { unit: 'packets', value: 1000 });
      const redirect = await LinkRedirect.start(bench.dumbbell);
      try {
        await redirect.program.set(
          emulatorConfiguration(link, link.paths, { down: { kind: 'fifo' }, up: null }, bench.dumbbell.left, 1),
        );
        const receiver = await Receiver.start(hosts.client, join(scratch, 'probes'));
        try {
          const before = await redirect.program.read();
          const sender = await sendProbes(hosts.server, addresses.client, receiver.port, {
            payloadBytes: 1472,
            rateBps: load * rateBps,
            seconds,
            prefillPackets: 0,
            overheadBytes: 14,
          });
          const after = await redirect.program.read();
          const cost = (after.cpuMs - before.cpuMs) / (sender.endMs - sender.startMs);
          // a machine that stands still takes no processor time; a sender that was late did not load the link
          return { outcomes: sender.starved ? null : [{ value: cost, reached: cost <= ratio }], beside: [] };
        } finally {
          await receiver.stop();
        }
      } finally {
        await redirect.stop();
      }
    },
  }),
);
