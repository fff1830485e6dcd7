/** Formats Markdown with lines of at most 120 columns. */
import type { Field } from './fields.ts';

const columns = 120;

/** Breaks a paragraph at spaces outside of `code` and [links](...). Lines after the first one begin with `indent`. */
export function wrap(text: string, indent = ''): string {
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}

/** Returns a list with one item for each field. */
export function fieldList(fields: readonly Field[]): string {
  return fields
    .map(({ path, accepts, standard, isRequired, description }) => {
      const given =
        standard === null
          ? isRequired
            ? '; required'
            : ''
          : standard === ''
            ? '; default: none'
            : `; default \`${standard}\``;
      return wrap(`- \`${path}\` (${accepts}${given}): ${description}`, '  ');
    })
    .join('\n');
}

/** Joins blocks with an empty line between them. */
export const blocks = (...parts: readonly (string | null)[]): string =>
  parts.filter(part => part !== null && part !== '').join('\n\n');
