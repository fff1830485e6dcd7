/** Constraints of a controller until some are given, bit/s. */
import type { Constraints } from '../controller.ts';

export const firstConstraints: Constraints = { minBps: 30e3, startBps: 300e3, maxBps: 30e6 };
