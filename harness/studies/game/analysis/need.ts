/** A request for a state to have this number of trials. */
import type { State } from './game.ts';

export type Need = { state: State; id: string; trials: number };
