/**
 * Protects spreadsheets from texts that they would evaluate as formulas. Such a text may come from a web page or from a
 * stranger's definition.
 */

/** Start of a text that a spreadsheet takes for a formula, also after white space. */
const formulaStart = /^\s*[=+\-@]|^[\t\r]/;

/**
 * Returns a text for the cell of a spreadsheet. It gets an apostrophe in front if a spreadsheet would take it for a
 * formula.
 */
export function cellWithoutFormula(text: string): string {
  return formulaStart.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}
