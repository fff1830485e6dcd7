/**
 * CAKE as the leaf below a shaper that sets the rate. CAKE shares the rate fairly among hosts and flows, and drops
 * packets by CoDel.
 */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  rtt: duration({ min: 1, max: 10e3 }).default(100).describe('Round-trip time that its CoDel is tuned for.'),
});

/** Bytes of CAKE's limit for each full packet. CAKE counts the memory that the kernel allocates for a packet. */
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
  // tc(8) sets the target to a twentieth of the round-trip time; CAKE's COBALT spares only the last packet
  law: ({ rtt }) => ({ kind: 'codel', targetMs: rtt / 20, intervalMs: rtt, sparedBytes: 0 }),
};
