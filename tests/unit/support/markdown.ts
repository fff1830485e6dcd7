/** What tests look for in Markdown. */

/** A fenced block, and the comment right before it. */
export type Block = { language: string; text: string; mark: string | undefined };

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/(?:^<!-- ([^\n]*?) -->\n)?^```(\w*)\n(.*?)^```$/gms)].map(
    ([, mark, language, text]) => ({ language: language!, text: text!, mark }),
  );
}

export const withoutBlocks = (markdown: string) => markdown.replace(/^```.*?^```$/gms, '');

/** Code within lines, without its back-quotes. */
export function codeOf(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replace(/\s+/g, ' '));
}

/** Targets of links and images. */
export function linksOf(markdown: string): string[] {
  const text = withoutBlocks(markdown).replace(/`[^`\n]*`(?!\])/g, '');
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!);
}

/** Anchors of the headings, as GitHub names them. */
export function anchorsOf(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** Lines of shell, those that end in a backslash joined, without comments. */
export function commandsOf(block: string): string[] {
  return block
    .replace(/\\\n/g, '') // as a shell does
    .split('\n')
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => line !== '');
}

/** The words of a command as a shell splits them, of which only single quotes are known here. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
