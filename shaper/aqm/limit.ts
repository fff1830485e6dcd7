/** Conversion of the limit of a link's queue to the form that AQM plug-ins take. */
import { type Link, queueLimitForms } from '../../core/vocabulary/link.ts';
import type { AqmLimit } from './aqm.ts';

export function aqmLimit(link: Link): AqmLimit {
  const { packets, bytes } = queueLimitForms(link);
  return {
    unit: link.queue.unit === 'packets' ? 'packets' : 'bytes',
    packets: Math.round(packets),
    bytes: Math.round(bytes),
    ecn: link.ecn,
  };
}
