/** A request of the search: a state shall have a total of `trials` trials. */
import type { State } from './game.ts';

export type Need = { state: State; id: string; trials: number };
