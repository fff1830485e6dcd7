/** True if a study does not follow a paper. `source`: a paper, or "own", or "own; PARTS TAKEN FROM OTHERS". */

export const isOwnSource = (source: string) => source === 'own' || source.startsWith('own;');

/**
 * Returns the source of a study in words: "After Philip et al." or "Own study; payoff by ITU-T G.1072". Null if the
 * source is "own".
 */
export function sourceWords(source: string): string | null {
  if (source === 'own') return null;
  const [, used] = /^own; (.*)$/s.exec(source) ?? [];
  return used === undefined ? `After ${source}` : `Own study; ${used}`;
}
