/** The source of a study in words. `source` names a paper, or is "own", or "own; PARTS TAKEN FROM OTHERS". */

export const isOwnSource = (source: string) => source === 'own' || source.startsWith('own;');

/** Returns "After Philip et al." or "Own study; payoff by ITU-T G.1072". Null for a study without an outside source. */
export function sourceWords(source: string): string | null {
  if (source === 'own') return null;
  const [, used] = /^own; (.*)$/s.exec(source) ?? [];
  return used === undefined ? `After ${source}` : `Own study; ${used}`;
}
