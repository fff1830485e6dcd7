/** Types of shell-word.mjs, which runs before TypeScript can. */
export declare function shellWord(word: string): string;
