import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { quoteWord, shownWord } from '../../../../core/text/shell.ts';

test('a shell reads every word back unchanged', () => {
  for (const word of ['plain', '', 'two words', "it's", "'", '$HOME `id` "x" \\', 'line\nline']) {
    assert.equal(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' }), word);
  }
});

test('a word that people are to type is in quotes where a shell would take it apart, and only there', () => {
  for (const word of ['runs/x', 'vary.link.rtt=2ms', 'a@b:5,6+7%-_']) assert.equal(shownWord(word), word);
  for (const word of ['', 'two words', "it's", '$HOME', '#1', 'a*']) assert.equal(shownWord(word), quoteWord(word));
});
