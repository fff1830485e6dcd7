/** Converts a text to the name of a folder, of lower case letters, digits, dashes, and dots before digits. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replace(/[^a-z0-9.]+|\.(?!\d)/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-+|-+$/g, '');
}
