/** Reads the address of a published site from the command line. */
import { CoexistError } from '../errors.ts';
import { hasCredentials } from './url-credentials.ts';

/**
 * Returns the address of a site with a slash at its end. Throws `usage`, which names the option, if `text` is not an
 * address, or if it contains a user name or password.
 */
export function siteUrl(text: string, option = '--site-url'): string {
  // The message does not repeat the address, since it may be kept in a log.
  if (hasCredentials(text))
    throw new CoexistError('usage', `${option} has a user name or password, which would be published`, {
      hint: 'leave them out',
    });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An empty "?" or "#" is in `href` only, not in `search` or `hash`.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(url.href))
    throw new CoexistError('usage', `${option} ${text}: this is no address of a site`, {
      hint: 'write it like https://example.org/coexist/',
    });
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
