/**
 * Replaces a generated part of a handwritten document: the text between `<!-- generated: NAME -->` and `<!-- end: NAME
 * -->`.
 */

export function withRegion(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the document has no part from "${begin}" to "${end}"`);
  return `${document.slice(0, from + begin.length)}\n\n${content}\n\n${document.slice(to)}`;
}
