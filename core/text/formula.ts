/** Texts that a spreadsheet would run. They may come from a page of the Internet, or from somebody's definition. */

/** Characters that make a spreadsheet evaluate a cell as a formula when they come first, also after white space. */
const formulaStart = /^\s*[=+\-@]|^[\t\r]/;

/** A text as a cell of a spreadsheet shows it: one that it would take for a formula has an apostrophe in front. */
export function cellWithoutFormula(text: string): string {
  return formulaStart.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}
