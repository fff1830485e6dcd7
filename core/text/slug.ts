/** Lower case, digits, dashes, and dots before digits: a name that is fit for a folder. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replace(/[^a-z0-9.]+|\.(?!\d)/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-+|-+$/g, '');
}
