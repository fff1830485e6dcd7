/** Schema of the data that a transfer's page reports. */
import type { TransferBatch, TransferDrain } from '../../../client/wire.ts';
import { object } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { byteCount, count, list, reason, spanMs, unixMs, vitals } from './page-values.ts';

/**
 * Maximum number of batches in one reading. A page is not read while other services of the trial begin. A DevTools
 * message cannot hold more batches.
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
