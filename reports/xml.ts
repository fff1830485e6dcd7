/** Writes elements of XML, for feeds. */
import { escapeHtml } from './html.ts';

/** True if XML 1.0 allows the character (section 2.2). Characters that are not allowed are left out. */
function isWritable(character: string): boolean {
  const code = character.codePointAt(0)!;
  const isText = (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
  return isText || character === '\t' || character === '\n' || character === '\r';
}

/** Returns a text as XML shows it, without characters that XML forbids. */
export const xml = (text: string) => escapeHtml([...text].filter(isWritable).join(''));

/** Returns an element with a text. `attributes`: as they stand in the tag, with a space before. */
export const element = (name: string, text: string, attributes = '') => `<${name}${attributes}>${xml(text)}</${name}>`;
