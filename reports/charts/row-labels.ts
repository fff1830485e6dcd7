/** Labels of the rows at the left of a chart, and the margin that the labels need. */
import * as Plot from '@observablehq/plot';

/**
 * Widths at the page's font size of 12 px: of a small letter, of a capital, and of a letter in a script with square
 * letters. The reader's font is unknown, so these are the widths of a wide font: too much space is better than a cut
 * label.
 */
const [letterPx, capitalPx, squarePx] = [7.2, 9, 13];
/** Sum of the space between a label and the axis and between the label and the left edge, px. */
const besidePx = 12;

const isSquare = (letter: string) => /[\u1100-\u{10ffff}]/u.test(letter) && !/[\u2000-\u206f]/.test(letter);
const pxOf = (letter: string) => (isSquare(letter) ? squarePx : /[A-Z%@mw]/.test(letter) ? capitalPx : letterPx);
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + pxOf(letter), 0);

/** Returns the longest beginning of a text that is at most `mostPx` wide. */
function beginning(text: string, mostPx: number): string {
  let kept = '';
  for (const letter of text) {
    if (widthOf(kept + letter) > mostPx) break;
    kept += letter;
  }
  return kept;
}

/**
 * Splits a label into lines of at most `mostPx`, between words if possible. If the label does not fit into `mostLines`,
 * the last line ends in "…".
 */
function wrapLabel(label: string, mostPx: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = label.trim();
  while (widthOf(rest) > mostPx && lines.length < mostLines - 1) {
    const fits = beginning(rest, mostPx);
    const gap = rest[fits.length] === ' ' ? fits.length : fits.lastIndexOf(' ');
    const line = gap > 0 ? fits.slice(0, gap) : fits;
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  lines.push(widthOf(rest) > mostPx ? `${beginning(rest, mostPx - widthOf('…')).trimEnd()}…` : rest);
  return lines;
}

/**
 * Returns the left margin of a chart with these rows, and the axis with the labels. Long labels are wrapped, and
 * shortened if necessary, so that the chart keeps its width. A tooltip shows the whole label.
 */
export function rowLabels(
  labels: readonly string[],
  { mostPx, mostLines, leastPx }: { mostPx: number; mostLines: number; leastPx: number },
): { marginLeft: number; axis: Plot.Markish } {
  const wrapped = new Map(labels.map(label => [label, wrapLabel(label, mostPx, mostLines)]));
  const widest = Math.max(0, ...[...wrapped.values()].flat().map(widthOf));
  return {
    marginLeft: Math.max(leastPx, besidePx + Math.ceil(widest)),
    axis: Plot.axisY({
      label: null,
      tickSize: 0,
      text: (label: string) => wrapped.get(label)!.join('\n'),
      title: (label: string) => label,
    }),
  };
}
