/**
 * Extracts the figures of a rendered report as standalone SVG files. Each file has the page's light colours in place of
 * CSS variables, and contains the legend. A zoomable chart becomes the still image for readers without scripts.
 */
import { readFile } from 'node:fs/promises';

export type Figure = {
  /** Id of the section, with a number if the section has several figures. */
  name: string;
  /** Description of the figure for readers who do not see it. */
  title: string;
  svg: string;
  /**
   * Caption of the figure in the report. If several figures share a caption, only the last one has it. Null if there is
   * none.
   */
  caption: string | null;
};

/**
 * Maximum number of figures of one section on a results page. If a section has more, the page shows none of them: a
 * study of 65 conditions has 65 charts over time.
 */
const mostOfSection = 16;

export const sectionOf = ({ name }: Figure): string => name.replace(/-\d+$/, '');

/** Returns the figures that a results page shows. `leftOut`: number of figures that it does not show, by section. */
export function figuresOfPage(figures: readonly Figure[]): { shown: Figure[]; leftOut: [string, number][] } {
  const groups = [...Map.groupBy(figures, sectionOf)];
  return {
    shown: groups.flatMap(([, group]) => (group.length > mostOfSection ? [] : group)),
    leftOut: groups.flatMap(([section, { length }]) => (length > mostOfSection ? [[section, length]] : [])),
  };
}

type Colours = ReadonlyMap<string, string>;
type Entry = { colour: string; opacity: string; label: string };

/** Sizes in the legend, px: height of a row, side of a colour square, width of a letter. */
const [rowPx, swatchPx, letterPx] = [18, 10, 6.5];

/** Returns the light colours of the page, by name of the CSS variable. */
async function lightColours(): Promise<Colours> {
  const style = await readFile(new URL('../page/style.css', import.meta.url), 'utf8');
  return new Map(
    [...style.matchAll(/(--[a-z]\w*): light-dark\((#[0-9a-f]+),/g)].map(([, name, colour]) => [name!, colour!]),
  );
}

const coloured = (text: string, colours: Colours) =>
  text.replace(/var\((--\w+)\)/g, (whole, name: string) => colours.get(name) ?? whole);

/** Converts HTML to well-formed XML: replaces entities that only HTML has, and escapes "<" in attributes. */
function asXml(svg: string): string {
  return svg
    .replaceAll('&nbsp;', '&#160;')
    .replace(/="([^"]*)"/g, (_, value: string) => `="${value.replaceAll('<', '&lt;')}"`);
}

function legendOf(lines: string): Entry[] {
  return [...lines.matchAll(/background: (var\(--\w+\))(?:; opacity: ([\d.]+))?"><\/i>(.*?)<\/span>/gs)].map(
    ([, colour, opacity = '1', label]) => ({ colour: colour!, opacity, label: label! }),
  );
}

/** Draws the legend in rows below the figure. `label` of each entry must be escaped. */
function drawnLegend(entries: readonly Entry[], width: number, top: number): { text: string; height: number } {
  let [x, y] = [0, top];
  const parts = entries.map(({ colour, opacity, label }) => {
    const needed = swatchPx + 6 + label.length * letterPx + 14;
    if (x > 0 && x + needed > width) [x, y] = [0, y + rowPx];
    const at = x;
    x += needed;
    return (
      `<rect x="${at}" y="${y + 4}" width="${swatchPx}" height="${swatchPx}" fill="${colour}"${opacity === '1' ? '' : ` fill-opacity="${opacity}"`}/>` +
      `<text x="${at + swatchPx + 6}" y="${y + 13}" text-anchor="start">${label}</text>`
    );
  });
  return entries.length === 0 ? { text: '', height: 0 } : { text: parts.join(''), height: y + rowPx - top };
}

function standalone(svg: string, legend: readonly Entry[], colours: Colours): string {
  const [, opening = '', body = ''] = /^<svg ([^>]*)>(.*)<\/svg>$/s.exec(asXml(svg)) ?? [];
  const size = (name: string) => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(opening)?.[1]);
  const [width, height] = [size('width'), size('height')];
  const drawn = drawnLegend(legend, width, height + 4);
  const total = height + (drawn.height === 0 ? 0 : drawn.height + 8);
  const attributes = opening.replace(/\b(width|height|viewBox)="[^"]*" ?/g, '');
  const sizes = `width="${width}" height="${total}" viewBox="0 0 ${width} ${total}"`;
  return `${coloured(
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes} ${sizes} color="var(--text)">` +
      `<rect width="100%" height="100%" fill="#ffffff"/>${body}${drawn.text}</svg>`,
    colours,
  )}\n`;
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Replaces references to parts of the report that a results page does not have by the text of `data-alone`. */
export const standingAlone = (html: string) => html.replace(/<span data-alone="([^"]*)">.*?<\/span>/gs, '$1');

/** Returns the first caption in the HTML between a figure and the next figure. Null if there is none. */
function captionIn(html: string): string | null {
  const caption = /<figcaption>(.*?)<\/figcaption>/s.exec(html)?.[1];
  return caption === undefined
    ? null
    : unescaped(standingAlone(caption).replace(/<[^>]*>/g, ' '))
        .replace(/\s+/g, ' ')
        .trim();
}

/** Returns the figures of a report. `page`: HTML of the report. */
export async function figuresOf(page: string): Promise<Figure[]> {
  const colours = await lightColours();
  const lines = '<p class="lines">((?:(?!</p>).)*)</p>\\s*';
  const figure = new RegExp(`(?:${lines})?(<svg .*?</svg>)(?:\\s*${lines})?`, 'gs');
  return [...page.matchAll(/<section id="([\w-]+)">(.*?)<\/section>/gs)].flatMap(([, id, content]) => {
    const words = content!.replace(/<script\b.*?<\/script>/gs, '');
    const found = [...words.matchAll(figure)];
    return found.map(([whole, before, svg, after], i) => {
      const { index } = found[i]!;
      return {
        name: found.length === 1 ? id! : `${id!}-${i + 1}`,
        title: unescaped(/aria-label="([^"]*)"/.exec(svg!)?.[1] ?? id!),
        svg: standalone(svg!, legendOf(before ?? after ?? ''), colours),
        caption: captionIn(words.slice(index + whole.length, found[i + 1]?.index)),
      };
    });
  });
}
