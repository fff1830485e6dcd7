/**
 * First words of the last line printed by the program that runs a browser on another machine. The browser prints other
 * lines.
 */
export const lastWordsPrefix = 'coexist: ';
