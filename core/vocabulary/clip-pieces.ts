/**
 * Maximum number of pieces in the facts of a clip (clip-facts.ts). Each change of shape or colours starts a piece, and
 * a file may have any number of them.
 */
export const mostPieces = 50;
