/** Names of the rows at the left of a chart, with the room that they take. */
import * as Plot from '@observablehq/plot';

/**
 * Room for a letter at the 12 px of the page, and for one of a script whose letters are about square. Which font a
 * reader has is not known here, so it is that of a wide one: a little room left is better than a letter cut off.
 */
const [letterPx, capitalPx, squarePx] = [7.2, 9, 13];
/** Between a name and the axis, and at the left edge. */
const besidePx = 12;

const isSquare = (letter: string) => /[\u1100-\u{10ffff}]/u.test(letter) && !/[\u2000-\u206f]/.test(letter);
const pxOf = (letter: string) => (isSquare(letter) ? squarePx : /[A-Z%@mw]/.test(letter) ? capitalPx : letterPx);
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + pxOf(letter), 0);

/** The longest beginning that fits. */
function beginning(text: string, mostPx: number): string {
  let kept = '';
  for (const letter of text) {
    if (widthOf(kept + letter) > mostPx) break;
    kept += letter;
  }
  return kept;
}

/** In lines of at most that width, broken between words where that is possible; the last ends in "…" if cut short. */
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
 * The left margin of a chart with these rows, and the axis that names them. A name that is longer than a line is
 * wrapped, then shortened, so that the chart itself keeps its room; a pointer on it tells the whole.
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
