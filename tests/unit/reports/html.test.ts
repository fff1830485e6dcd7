import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml, Html, html, json } from '../../../reports/html.ts';

const hostile = '<script>alert("1" & \'2\')</script>';

test('whatever is put into a template is escaped', () => {
  assert.equal(escapeHtml(hostile), '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;');
  assert.equal(
    html`<p title="${hostile}">${hostile}</p>`.text,
    `<p title="${escapeHtml(hostile)}">${escapeHtml(hostile)}</p>`,
  );
  assert.equal(escapeHtml('&lt;'), '&amp;lt;');
});

test('unless it is HTML itself', () => {
  assert.equal(html`<p>${html`<b>${'<'}</b>`}</p>`.text, '<p><b>&lt;</b></p>');
  assert.equal(html`${new Html('<hr>')}`.text, '<hr>');
});

test('lists are joined, numbers written, nothing is nothing', () => {
  assert.equal(
    html`${[html`<i>1</i>`, 2, null, ['<', undefined]]}|${null}|${undefined}|${0}`.text,
    '<i>1</i>2&lt;|||0',
  );
});

test('data in a script element cannot end it', () => {
  const value = { title: '</script><script>alert(1)</script>', comment: '<!-- <script', text: 'a\u2028b' };
  const { text } = json(value);
  assert.ok(!text.includes('<'), text);
  assert.deepEqual(JSON.parse(text), value);
});
