/** CAKE as a leaf: fair among hosts and flows, with its own CoDel; the rate stays with the shaper above. */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  rtt: duration({ min: 1, max: 10e3 }).default(100).describe('Round-trip time that its CoDel is tuned for.'),
});

/** What its limit counts for a full packet: the memory that the kernel takes for it. */
const packetMemoryBytes = 2304;

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'cake',
  title: 'CAKE',
  source: 'Høiland-Jørgensen, Täht, Morton, "Piece of CAKE" (2018); tc-cake(8)',
  params,
  tc: ({ rtt }, { bytes }) => ({
    kind: 'cake',
    words: `unlimited besteffort rtt ${rtt * 1000}us memlimit ${bytes} no-split-gso`,
  }),
  emulate: () => null,
  holds: ({ bytes }) => Math.floor(bytes / packetMemoryBytes),
  // tc(8) gives it a twentieth of the round-trip time as its target; its COBALT spares the last packet alone
  law: ({ rtt }) => ({ kind: 'codel', targetMs: rtt / 20, intervalMs: rtt, sparedBytes: 0 }),
};
