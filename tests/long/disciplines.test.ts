/** Preflight of every discipline at every rate in both directions, in virtual time. */
import { passesPreflight } from '../unit/shaper/calibrate/support/disciplines.ts';

const rates = [64e3, 500e3, 1e6, 8e6, 40e6, 100e6, 500e6];

passesPreflight(rates.flatMap(rateBps => (['down', 'up'] as const).map(direction => [rateBps, direction] as const)));
