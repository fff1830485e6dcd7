/**
 * How many inputs a property is tried with, and which: always the same ones in `npm test`, others in each round of
 * `npm run test:fuzz` (rounds.ts asks for it).
 */
import { appendFileSync } from 'node:fs';
import { deriveSeed } from '../../core/random.ts';

const round = Number(process.env['COEXIST_FUZZ_ROUND'] ?? 0);
/** So many times as in `npm test`. */
const times = Number(process.env['COEXIST_FUZZ_TIMES'] ?? 1);
const countFile = process.env['COEXIST_FUZZ_COUNT'];

let inputs = 0;
if (countFile !== undefined) process.on('exit', () => appendFileSync(countFile, `${inputs}\n`));

/** For `fc.assert`: `numRuns` inputs made from `seed`, which a failure prints. */
export function effort(seed: number, numRuns: number): { seed: number; numRuns: number } {
  inputs += numRuns * times;
  // fast-check takes 32 bits
  return { seed: round === 0 ? seed : deriveSeed(seed, round) % 2 ** 31, numRuns: numRuns * times };
}
