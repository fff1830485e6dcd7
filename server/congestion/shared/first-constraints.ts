/** Constraints of a controller until the first call of `onConstraints`, bit/s. */
import type { Constraints } from '../controller.ts';

export const firstConstraints: Constraints = { minBps: 30e3, startBps: 300e3, maxBps: 30e6 };
