/** Line for the dry run that names the source of a study. */
import { sourceWords } from '../../core/vocabulary/source-words.ts';

/** Returns the line. Empty if the study has no source. */
export function sourceLines({ source }: { source: string }): string[] {
  const words = sourceWords(source);
  return words === null ? [] : [`  ${words}`];
}
