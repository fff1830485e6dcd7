/** That a state should have so many trials. */
import type { State } from './game.ts';

export type Need = { state: State; id: string; trials: number };
