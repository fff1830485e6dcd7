/** Whether a queue log can be relied on: every record is there, and every packet in it is accounted for. */
import { CoexistError } from '../base/errors.ts';
import type { QueueLogEnd } from '../../shaper/backend/backend.ts';
import type { Conservation } from '../../shaper/queue-log/analyse.ts';

/** Throws `link-refused` where a record was lost. */
export function checkRecords(end: QueueLogEnd): void {
  if (end.lost > 0) throw new CoexistError('link-refused', `the queue log lost ${end.lost} of ${end.records + end.lost} records`);
}

/** Throws `link-refused` where packets are unaccounted for. */
export function checkConservation(conservation: Conservation): void {
  if (conservation.holds) return;
  throw new CoexistError('link-refused', `packets at the bottleneck are unaccounted for: ${conservation.enqueuedPackets} came in, ${conservation.dequeuedPackets} left, `
    + `${conservation.droppedPackets} were dropped, ${conservation.waitingPackets} should wait, ${conservation.queuePackets} do`);
}
