/** Pages of ours, read again as a browser would, without running them (happy-dom). */
import { Window } from 'happy-dom';

/** One for all: what a window of happy-dom holds is kept as long as the process lives. */
export const window = new Window();

export const parseMarkup = (text: string) => new window.DOMParser().parseFromString(text, 'text/html');
