/**
 * What a page may do (Content Security Policy, level 3): run the scripts that it was written with, and nothing of the
 * network. Its texts may come from strangers.
 */
import { createHash } from 'node:crypto';
import { type Html, html } from '../html.ts';

const hashOf = (script: Html) => `'sha256-${createHash('sha256').update(script.text).digest('base64')}'`;

/** `scripts`: those of the page, letter by letter. Charts have styles of their own, so styles may be anywhere. */
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
