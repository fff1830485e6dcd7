/** HTML text without injection: the template escapes every value that is not of type `Html`. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | readonly Part[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!);
}

function render(part: Part): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(render).join('') : escapeHtml(String(part));
}

/** Template tag, used as html`<p>${text}</p>`. Returns the HTML with escaped values. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + string + (i < parts.length ? render(parts[i]) : ''), ''));
}

/** Returns JSON for a script element of type application/json. "<" is escaped, so that no value can end the element. */
export function json(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
