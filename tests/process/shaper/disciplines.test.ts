/**
 * Preflight of every discipline on slow and fast links, in virtual time: no link that is as asked for may fail, and each
 * discipline is proved by its own law or left out with a note. More rates, each in both directions: tests/long.
 */
import { passesPreflight } from '../../unit/shaper/calibrate/support/disciplines.ts';

passesPreflight([
  [64e3, 'down'],
  [1e6, 'up'],
  [40e6, 'down'],
  [500e6, 'down'],
]);
