/**
 * A download in batches: each of several connections fetches a chunk. The next batch begins when the slowest connection
 * has its chunk.
 */
import { integer, object } from '../../../core/schema/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';
import { transferPlugin } from '../shared/transfer-plugin.ts';

const params = object({
  ...congestionParams('bbr'),
  flows: integer({ min: 1, max: 16 }).default(5).describe('Connections, and chunks per batch.'),
  chunkBytes: integer({ min: 10_000, max: 1_000_000_000 })
    .default(4 * 1024 * 1024)
    .describe('Size of a chunk in bytes.'),
});

export const plugin = transferPlugin(
  {
    id: 'batch-download',
    title: 'download in batches',
    source: 'Philip et al., section 4, observations 3 and 4: Mega',
    params,
  },
  ({ congestionControl, bbr3Budget, flows, chunkBytes }) => ({
    name: 'the batch download',
    congestion: { congestionControl, bbr3Budget },
    flows,
    chunkBytes,
    capBps: null,
  }),
);
