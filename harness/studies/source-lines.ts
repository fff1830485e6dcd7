/** Source of a study, for its dry run. */
import { sourceWords } from '../../core/vocabulary/source-words.ts';

/** Returns no line if the study has no source. */
export function sourceLines({ source }: { source: string }): string[] {
  const words = sourceWords(source);
  return words === null ? [] : [`  ${words}`];
}
