/** Formats lists of capabilities for the doctor. */
import type { Capability } from '../../core/system/capability.ts';
import { printable } from '../../core/text/printable.ts';

/** Makes words from another machine printable on one line. */
const onOneLine = (words: string) => printable(words).replace(/[\n\t]/g, '?');

export const blockedBy = (capabilities: readonly Capability[]) =>
  capabilities.filter(({ required, works }) => required && !works);

/**
 * Returns a line for each capability. The consequence and the remedy follow the line of a capability that does not
 * work.
 */
export function describeCapabilities(capabilities: readonly Capability[]): string {
  const width = Math.max(0, ...capabilities.map(({ title }) => title.length));
  const below = ' '.repeat(width + 7);
  return capabilities
    .map(({ title, works, required, found, cost, mend }) => {
      const word = works ? 'ok  ' : required ? 'FAIL' : 'no  ';
      const consequences = works ? '' : `${below}without it: ${cost}\n${below}fix: ${mend}\n`;
      return `${word} ${title.padEnd(width)}  ${onOneLine(found)}\n${consequences}`;
    })
    .join('');
}
