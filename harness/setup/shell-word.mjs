/** A word as a person has to type it in a shell: in quotes where a character of it means something there. */
export const shellWord = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
