import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { quoteWord } from '../../../core/shell.ts';

test('a shell reads every word back unchanged', () => {
  for (const word of ['plain', '', 'two words', "it's", "'", '$HOME `id` "x" \\', 'line\nline']) {
    assert.equal(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' }), word);
  }
});
