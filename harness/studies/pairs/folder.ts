/** Type of the run folder of a pairwise study. */
import type { RunFolder } from '../../record/run-folder.ts';
import type { PairsPlan } from './plan.ts';

export type PairsFolder = RunFolder<PairsPlan>;
