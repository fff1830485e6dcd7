/**
 * Content Security Policy (level 3) of a page. The page may run only the scripts that it was written with, and may load
 * nothing from the network, because its texts may come from strangers.
 */
import { createHash } from 'node:crypto';
import { type Html, html } from '../html.ts';

const hashOf = (script: Html) => `'sha256-${createHash('sha256').update(script.text).digest('base64')}'`;

/**
 * Returns the policy as a meta element. `scripts`: exact text of each script in the page. All styles are allowed,
 * because charts have inline styles.
 */
export function policy(scripts: readonly Html[] = []): Html {
  const content = [
    "default-src 'none'",
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(hashOf).join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<meta http-equiv="Content-Security-Policy" content="${content}">`;
}
