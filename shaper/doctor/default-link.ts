/**
 * Description, for the doctor, of the backend that forms a link if the study does not choose a backend: name, reason,
 * punctuality and cost.
 */
import { describeBackend, isSerialising, kernelParts } from '../../core/vocabulary/backends.ts';
import type { BackendId } from '../../core/vocabulary/link.ts';
import type { ShapedLink } from '../backend/shaped-link.ts';

type Readiness = ShapedLink['readiness'];

const why = (backend: BackendId) =>
  isSerialising(backend)
    ? 'each packet leaves when its last bit would have left a real link'
    : 'no flow can tell it from one that is';

/** Returns the words for the punctuality of the program that carries the packets. */
function punctuality({ scheduling, memory }: NonNullable<Readiness>): string {
  const priority =
    scheduling === 'fifo'
      ? 'real-time priority'
      : 'normal priority, since this user may set no other: busy processors make its packets late';
  return `${priority}, ${memory === 'locked' ? 'memory locked' : 'memory not locked: paging may make packets late'}`;
}

/** Returns the words for the cost of a backend, measured by bench:shaper (docs/studies.md, "Link backends"). */
function cost(backend: BackendId): string {
  if (backend === 'emulator') return 'takes about a tenth of a core at 40 Mbit/s, a fifth at 100 Mbit/s';
  return backend !== 'mahimahi' && backend !== 'outside' && kernelParts(backend).hasLine
    ? 'its delay line takes about a tenth of a core at 40 Mbit/s'
    : 'takes next to no processor time';
}

/**
 * Returns the description of `backend`. `readiness`: state of the program that carries the packets; null if only the
 * kernel carries them.
 */
export function describeDefault(backend: BackendId, readiness: Readiness): string {
  return [
    `${describeBackend(backend)}: ${why(backend)}`,
    ...(readiness === null ? [] : [punctuality(readiness)]),
    cost(backend),
  ].join('; ');
}
