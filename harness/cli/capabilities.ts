/** Lists of capabilities, as the doctor prints them. */
import type { Capability } from '../../core/system/capability.ts';
import { printable } from '../../core/text/printable.ts';

/** Words that may come from another machine: they stay on their line. */
const onOneLine = (words: string) => printable(words).replace(/[\n\t]/g, '?');

export const blockedBy = (capabilities: readonly Capability[]) =>
  capabilities.filter(({ required, works }) => required && !works);

/** One line for each capability; below one that does not work, its consequence and its remedy. */
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
