/** Lists of what can and cannot be done, as the doctor prints them. */
import type { Capability } from '../../core/capability.ts';

/** Found words may be those of another machine: nothing in them may steer a terminal. */
const printable = (words: string) => words.replace(/\p{Cc}/gu, '?');

export const blockedBy = (capabilities: readonly Capability[]) =>
  capabilities.filter(({ required, works }) => required && !works);

/** A line for each, and under one that does not work what it costs and what mends it. */
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
