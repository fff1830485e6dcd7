/** Parses the project's own pages as a browser would, without running their scripts (happy-dom). */
import { Window } from 'happy-dom';

/** Shared by all callers, because happy-dom keeps the content of a window until the process ends. */
export const window = new Window();

export const parseMarkup = (text: string) => new window.DOMParser().parseFromString(text, 'text/html');
