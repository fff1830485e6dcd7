/** Parameters of the short flows. Defaults are those of RFC 8868, section 5.1. */
import { duration, integer, object, size, type z } from '../../../core/schema/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';

const fileSize = () => size({ min: 1000, max: 1e9 });

export const paramsSchema = object({
  ...congestionParams('cubic'),
  connections: integer({ min: 1, max: 64 }).default(30).describe('Connections that a burst begins at the same time.'),
  minBytes: fileSize().default(30e3).describe('Smallest file; a connection fetches one, and sizes are uniform.'),
  maxBytes: fileSize().default(50e3).describe('Largest file.'),
  idle: duration({ min: 0, max: 600e3 })
    .default(10e3)
    .describe('Mean of the exponential pauses from the end of the last connection of a burst to the next burst.'),
  sources: integer({ min: 1, max: 64 })
    .default(1)
    .describe('Sources of bursts, each with pauses of its own; RFC 8867, section 5.7, has ten with short flows.'),
  on: integer({ min: 0, max: 64 })
    .default(1)
    .describe('Sources that begin with a burst; the others begin with a pause.'),
})
  .refine(({ minBytes, maxBytes }) => minBytes <= maxBytes, {
    error: 'minBytes is more than maxBytes',
    path: ['minBytes'],
  })
  .refine(({ on, sources }) => on <= sources, {
    error: 'more sources begin with a burst than there are; give sources a higher number',
    path: ['on'],
  })
  .refine(({ connections, sources }) => connections * sources <= 1024, {
    error: 'connections times sources is more than 1024; take fewer of one of them',
    path: ['connections'],
  });

export type Params = z.output<typeof paramsSchema>;
