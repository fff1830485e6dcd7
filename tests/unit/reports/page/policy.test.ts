/** Content policies of the pages of reports and sites. Two functions make all pages of the project. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';
import { html } from '../../../../reports/html.ts';
import { renderPage } from '../../../../reports/page/page.ts';
import { renderStillPage, stillDocument } from '../../../../reports/page/still-page.ts';
import { parsePage } from '../support/run.ts';

const policyOf = (page: string) =>
  parsePage(page).querySelector('meta[http-equiv=Content-Security-Policy]')!.getAttribute('content')!;

test('pages without scripts run none, and no page loads anything', async () => {
  for (const page of [stillDocument('x', '', html`<p>y</p>`), await renderStillPage('x', html`<p>y</p>`)]) {
    assert.match(policyOf(page), /(^|; )default-src 'none'(;|$)/);
    assert.match(policyOf(page), /(^|; )script-src 'none'(;|$)/);
  }
  const whole = policyOf(await renderPage('x', html`<p>y</p>`));
  assert.match(whole, /(^|; )default-src 'none'(;|$)/);
  assert.match(whole, /(^|; )script-src( 'sha256-[^']+')+(;|$)/);
});

test('no other file of the reports makes a document', () => {
  const files = globSync('reports/**/*.ts', { cwd: projectRoot });
  const makers = files.filter(file => readFileSync(join(projectRoot, file), 'utf8').includes('<html'));
  assert.deepEqual(makers.sort(), ['reports/page/page.ts', 'reports/page/still-page.ts']);
});
