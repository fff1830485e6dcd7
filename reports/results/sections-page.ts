/**
 * The result of a pairwise study or of a game as a Markdown page, from its rendered report: what its head says, then
 * some of its sections with their words, tables and figures. No number is typed by hand.
 */
import { parseMarkup } from '../markup.ts';
import { type Figure, sectionOf } from './figures.ts';
import { escaped, mark, of, part, tableOf, wrapped } from './page.ts';

type Part = NonNullable<ReturnType<typeof part>>;
type Found = Part & { closest(selector: string): unknown };

/** What stands in a page, in its order; what is folded up in the report is left out. */
const shown = 'h2, h3, h4, p, ul, table, figcaption';

function blockOf(element: Found): string | undefined {
  const { tagName, className, textContent } = element;
  if (element.closest('details') !== null || className === 'lines' || textContent.trim() === '') return undefined;
  switch (tagName) {
    case 'H2':
    case 'H3':
    case 'H4':
      return `${'#'.repeat(Number(tagName[1]))} ${escaped(textContent)}`;
    case 'UL':
      return of(element, 'li')
        .map(item => `- ${wrapped(escaped(item.textContent), 118).replaceAll('\n', '\n  ')}`)
        .join('\n');
    case 'TABLE':
      return tableOf(element);
    default:
      return wrapped(escaped(textContent));
  }
}

const blocksOf = (content: Part) => (of(content, shown) as Found[]).flatMap(element => blockOf(element) ?? []);

/** Figures of these sections, in the order of the report. */
export function figuresOfSections(figures: readonly Figure[], sections: readonly string[]): Figure[] {
  return figures.filter(figure => sections.includes(sectionOf(figure)));
}

/** `page`: the HTML of the report. `command`: what measures it again; null where that cannot be said. */
export function sectionsPage(
  page: string,
  sections: readonly string[],
  command: string | null,
  figures: readonly Figure[],
  figureOf: (figure: Figure) => string,
): string {
  const head = page.slice(page.indexOf('<h1'), page.indexOf('<main')).replace(/<nav\b.*?<\/nav>/gs, '');
  const body = parseMarkup(`<body>${head}</body>`).body as unknown as Part;
  const blocks = [
    ...of(body, 'h1').map(({ textContent }) => `# ${escaped(textContent)}`),
    mark,
    ...blocksOf(body),
    ...(command === null ? [] : [`Command: \`${command}\``]),
    ...sections.flatMap(id => {
      const content = part(page, id);
      if (content === null) return [];
      return [
        ...blocksOf(content),
        ...figuresOfSections(figures, [id]).map(figure => `![${escaped(figure.title)}](${figureOf(figure)})`),
      ];
    }),
  ];
  return `${blocks.join('\n\n')}\n`;
}
