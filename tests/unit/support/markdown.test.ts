import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorsOf, blocksOf, codeOf, commandsOf, linksOf, wordsOf } from './markdown.ts';

const document = [
  '# The `x` of *BBRv3*, a BDP',
  '',
  'A [link](a.md#b), `code with',
  'a break` and ![picture](b.png).',
  '',
  '<!-- tested -->',
  '```sh',
  'npm run x -- --set \'a=["b c"]\'   # why',
  '',
  'npm test',
  '```',
  '',
  '```json',
  '[not](a-link)',
  '```',
].join('\n');

test('blocks with their marks, code, links, anchors', () => {
  assert.deepEqual(
    blocksOf(document).map(({ language, mark }) => [language, mark]),
    [
      ['sh', 'tested'],
      ['json', undefined],
    ],
  );
  assert.deepEqual(codeOf(document), ['x', 'code with a break']);
  assert.deepEqual(linksOf(document), ['a.md#b', 'b.png']);
  assert.deepEqual(anchorsOf(document), ['the-x-of-bbrv3-a-bdp']);
});

test('commands without comments, words with their quotes taken off', () => {
  const lines = commandsOf(blocksOf(document)[0]!.text);
  assert.deepEqual(lines, ['npm run x -- --set \'a=["b c"]\'', 'npm test']);
  assert.deepEqual(wordsOf(lines[0]!), ['npm', 'run', 'x', '--', '--set', 'a=["b c"]']);
});
