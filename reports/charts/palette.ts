/** The colours of a report's conditions: --c0 and so on in page/style.css. */

/** Colours that the page has; more conditions than these begin again. */
export const paletteSize = 8;

/** The colours of the palette repeat after its size, lighter. */
export const opacityOf = (index: number) => Math.max(0.25, 1 - 0.4 * Math.floor(index / paletteSize));

/** A colour of the page as CSS, by a condition's place. */
export function colourOf(index: number): string {
  return `var(--c${index % paletteSize})`;
}
