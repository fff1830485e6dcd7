/**
 * Writes the result of a pairwise study or a game study as a Markdown page: the head, and some sections with texts,
 * tables and figures. Everything is taken from the rendered report, so no number is typed by hand.
 */
import { parseMarkup } from '../markup.ts';
import { type Figure, sectionOf } from './figures.ts';
import { escaped, mark, of, part, tableOf, wrapped } from './page.ts';

type Part = NonNullable<ReturnType<typeof part>>;
type Found = Part & { closest(selector: string): unknown };

/** CSS selector of the elements that a page shows. Elements that are folded up in the report are left out. */
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

/**
 * Returns the text of the Markdown page and the figures that it shows. `page`: HTML of the report. `command`: command
 * that repeats the study; null if there is none. `all`: figures of the report.
 */
export function pageOfSections(
  page: string,
  sections: readonly string[],
  command: string | null,
  all: readonly Figure[],
  addressOf: (figure: Figure) => string,
): { text: string; figures: readonly Figure[] } {
  const figuresIn = (ids: readonly string[]) => all.filter(figure => ids.includes(sectionOf(figure)));
  const head = page.slice(page.indexOf('<h1'), page.indexOf('<main')).replace(/<nav\b.*?<\/nav>/gs, '');
  const body = parseMarkup(`<body>${head}</body>`).body;
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
        ...figuresIn([id]).map(figure => `![${escaped(figure.title)}](${addressOf(figure)})`),
      ];
    }),
  ];
  return { text: `${blocks.join('\n\n')}\n`, figures: figuresIn(sections) };
}
