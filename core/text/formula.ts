/**
 * Protects spreadsheets from texts that they would evaluate. Such texts may come from a web page or from another
 * person's definition.
 */

/** Start of a text that a spreadsheet evaluates as a formula, also after white space. */
const formulaStart = /^\s*[=+\-@]|^[\t\r]/;

/**
 * Returns the text for a spreadsheet cell, with an apostrophe in front if a spreadsheet would take it for a formula.
 */
export function cellWithoutFormula(text: string): string {
  return formulaStart.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}
