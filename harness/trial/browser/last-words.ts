/** What the program that runs a browser on another machine begins its last words with; the browser says more. */
export const lastWordsPrefix = 'coexist: ';
