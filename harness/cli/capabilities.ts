/** Lists of capabilities, as the doctor prints them. */
import type { Capability } from '../../core/capability.ts';

/** The text may come from another machine: control characters in it must not reach the terminal. */
const printable = (words: string) => words.replace(/\p{Cc}/gu, '?');

export const blockedBy = (capabilities: readonly Capability[]) =>
  capabilities.filter(({ required, works }) => required && !works);

/** One line for each capability; below one that does not work, its consequence and its remedy. */
export function describeCapabilities(capabilities: readonly Capability[]): string {
  const width = Math.max(0, ...capabilities.map(({ title }) => title.length));
  const below = ' '.repeat(width + 7);
  return capabilities
    .map(({ title, works, required, found, cost, mend }) => {
      const word = works ? 'ok  ' : required ? 'FAIL' : 'no  ';
      const consequences = works ? '' : `${below}without it: ${cost}\n${below}mend: ${mend}\n`;
      return `${word} ${title.padEnd(width)}  ${printable(found)}\n${consequences}`;
    })
    .join('');
}
