/** Schema of the data that the page of a transfer reports. */
import type { TransferBatch, TransferDrain } from '../../../client/wire.ts';
import { object } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { byteCount, count, list, reason, spanMs, unixMs, vitals } from './page-values.ts';

/**
 * Maximum number of batches in one reading; a DevTools message cannot hold more. A reading can be long, since a page is
 * not read while other services of the trial begin.
 */
const mostBatches = 700_000;

const batchSchema = schemaOf<TransferBatch>()(
  object({ number: count, endMs: unixMs, durationMs: spanMs, bytes: byteCount }),
);

export const transferSchema = schemaOf<TransferDrain>()(
  object({
    timeMs: unixMs,
    receivedBytes: byteCount,
    batches: list(batchSchema, mostBatches),
    failure: reason.nullable(),
    ...vitals,
  }),
);
