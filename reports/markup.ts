/** Parses HTML that this project wrote, as a browser would, but without running scripts (happy-dom). */
import { Window } from 'happy-dom';

/** Window that all callers share, because happy-dom keeps the content of a window until the process ends. */
export const window = new Window();

export const parseMarkup = (text: string) => new window.DOMParser().parseFromString(text, 'text/html');
