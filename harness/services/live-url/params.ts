/** Parameters of a live URL. */
import { duration, object, rate, text, z } from '../../../core/schema/schema.ts';
import { hasCredentials } from '../../../core/text/url-credentials.ts';

export const paramsSchema = object({
  url: text()
    .regex(/^https?:\/\/[^/]/, { error: 'must begin with http:// or https://' })
    .refine(url => URL.canParse(url), { error: 'is not a URL' })
    .refine(url => !hasCredentials(url), {
      error: 'must not hold a user name or password: it is published with the results',
    })
    .default('https://example.com/')
    .describe('Address that the browser opens.'),
  script: text()
    .optional()
    .describe(
      'Path of a module whose default export is an async (page, { signal }) => ... on the Playwright page. ' +
        'It is trusted: it runs in the harness, with all its rights.',
    ),
  cap: rate({ min: 100e3, max: 10e9 })
    .optional()
    .describe(
      'Maximum rate that it takes of an empty link, as far as known. It is used for the fair share only and not enforced.',
    ),
  visit: duration({ min: 1e3, max: 3600e3 })
    .optional()
    .describe(
      'Length of one visit; the next one begins in a fresh browser. Without it, the first visit lasts until the end.',
    ),
  warmUp: duration({ min: 0, max: 600e3 })
    .default(0)
    .describe('Time from the end of loading until its traffic is steady.'),
  patience: duration({ min: 1e3, max: 150e3 })
    .default(60e3)
    .describe('The trial fails when loading, the script, or a stall of the video takes longer than this.'),
  quic: z.boolean().default(true).describe('Whether the browser speaks QUIC where the server offers it.'),
});

export type Params = z.output<typeof paramsSchema>;

export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80,
  };
}
