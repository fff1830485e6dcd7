/**
 * Beginning of the last line that the program there-main.ts prints, which runs a browser on another machine. All other
 * lines come from the browser.
 */
export const lastWordsPrefix = 'coexist: ';
