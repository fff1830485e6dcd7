/**
 * The most pieces that are told of a clip (clip-facts.ts): each is a change of shape or of colours, and a file may have
 * any number.
 */
export const mostPieces = 50;
