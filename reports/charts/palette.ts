/** Colours of the conditions in a report: the variables --c0, --c1 and so on in page/style.css. */

/** Number of colours in page/style.css. A report with more conditions uses the colours again from the first. */
export const paletteSize = 8;

/** Returns the opacity of the condition with this index. Colours that are used again are lighter. */
export const opacityOf = (index: number) => Math.max(0.25, 1 - 0.4 * Math.floor(index / paletteSize));

/** Returns the CSS colour of the condition with this index. */
export function colourOf(index: number): string {
  return `var(--c${index % paletteSize})`;
}
