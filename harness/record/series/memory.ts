/** Series memory.jsonl: free memory of the machine. */
import { z } from '../../../core/schema/schema.ts';
import { bytes, time } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

export const memorySeries = new Series(
  { id: 'memory', of: 'trial', title: 'Free memory of the machine', pace: 'one a second' },
  z.object({
    timeMs: time('when it was read'),
    freeBytes: bytes('memory that programs can have without swapping'),
  }),
);
