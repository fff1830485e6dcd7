/** What may be set of a live URL. */
import { duration, object, rate, text, z } from '../../../core/schema.ts';

function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return username !== '' || password !== '';
}

export const paramsSchema = object({
  url: text().regex(/^https?:\/\/[^/]/, { error: 'must begin with http:// or https://' }).refine(url => URL.canParse(url), { error: 'is not a URL' })
    .refine(url => !hasCredentials(url), { error: 'must not hold a user name or password: it is published with the results' }).default('https://example.com/').describe('What is opened.'),
  script: text().optional().describe('Path of a module whose default export is an async (page, { signal }) => ... on the Playwright page. It is trusted: it runs in the harness, with all its rights.'),
  cap: rate({ min: 100e3, max: 10e9 }).optional().describe('Most that it takes of an empty link, as far as you know; for its fair share. Nothing holds it to that.'),
  visit: duration({ min: 1e3, max: 3600e3 }).optional().describe('How long one visit lasts; then the next begins in a fresh browser. Without it the first lasts to the end.'),
  warmUp: duration({ min: 0, max: 600e3 }).default(0).describe('How long it takes from when it is loaded until it uses what it will go on using.'),
  patience: duration({ min: 1e3, max: 150e3 }).default(60e3).describe('A page that loads longer, a script that takes longer, and a video that stands longer is given up.'),
  quic: z.boolean({ error: 'must be true or false' }).default(true).describe('Whether the browser speaks QUIC where the server offers it.'),
});

export type Params = z.output<typeof paramsSchema>;

/** Host and port of a URL. */
export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80 };
}
