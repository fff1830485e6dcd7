/**
 * Maximum number of pieces in the facts of a clip (clip-facts.ts). Each change of shape or colours starts a new piece,
 * and a file may have any number of changes.
 */
export const mostPieces = 50;
