/** The test network of most tests. */
import type { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import type { twoSenders } from '../../../shaper/topology/legs.ts';

/** The hosts of a service and of a flood, and the one that both go to. */
export type TwoSenders = Dumbbell<(typeof twoSenders)['left' | 'right'][number]>;
