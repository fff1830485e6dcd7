import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldList, wrap } from '../../../../harness/documents/markdown.ts';
import { withRegion } from '../../../../harness/documents/region.ts';

test('lines have at most 120 columns; code and links stay in one piece', () => {
  const text =
    `${'word '.repeat(22)}\`--set link.rate=20mbit and more of it\`, then [a link with words](somewhere.md) ` +
    `${'word '.repeat(30)}`;
  const lines = wrap(text, '  ').split('\n');
  assert.ok(lines.length > 2 && lines.every(line => line.length <= 120), lines.join('\n'));
  assert.ok(lines.some(line => line.includes('`--set link.rate=20mbit and more of it`,')));
  assert.ok(lines.slice(1).every(line => line.startsWith('  ')));
});

test('a field is an item of a list', () => {
  const field = { path: 'run.window', accepts: 'duration', standard: '40s', isRequired: false, description: 'Length.' };
  assert.equal(fieldList([field]), '- `run.window` (duration; default `40s`): Length.');
  assert.equal(
    fieldList([{ ...field, standard: null, isRequired: true }]),
    '- `run.window` (duration; required): Length.',
  );
  assert.equal(fieldList([{ ...field, standard: '' }]), '- `run.window` (duration; default: none): Length.');
  assert.equal(fieldList([{ ...field, standard: null }]), '- `run.window` (duration): Length.');
});

test('a generated part replaces what stood between its marks, and a document without them is refused', () => {
  const document = 'a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb\n';
  const changed = withRegion(document, 'x', 'new');
  assert.equal(changed, 'a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb\n');
  assert.equal(withRegion(changed, 'x', 'new'), changed);
  assert.throws(() => withRegion('a', 'x', 'new'), /generated: x/);
});
