/** Where a study comes from, in words: its `source` names a paper, or is "own", or "own; what it uses of others". */

/** Whether it is nobody else's. */
export const isOwnSource = (source: string) => source === 'own' || source.startsWith('own;');

/** "After Philip et al." or "Own study; payoff by ITU-T G.1072"; null of a study that follows nobody. */
export function sourceWords(source: string): string | null {
  if (source === 'own') return null;
  const [, used] = /^own; (.*)$/s.exec(source) ?? [];
  return used === undefined ? `After ${source}` : `Own study; ${used}`;
}
