/** Colours of a report's conditions: --c0 and so on in page/style.css. */

/** Number of colours on the page. Further conditions reuse them from the first. */
export const paletteSize = 8;

/** Opacity of a colour. Each time the palette repeats, its colours are lighter. */
export const opacityOf = (index: number) => Math.max(0.25, 1 - 0.4 * Math.floor(index / paletteSize));

/** CSS colour of a condition, by its index. */
export function colourOf(index: number): string {
  return `var(--c${index % paletteSize})`;
}
