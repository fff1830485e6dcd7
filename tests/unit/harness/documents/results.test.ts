/** The index of docs/results: its claims, and that each of its numbers is on a page that it names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';
import { papers } from '../../../../harness/definition/papers.ts';
import { answers } from '../../../../harness/documents/results/answers.ts';
import { loadPages, loadPaperClaims } from '../../../../harness/documents/results/load.ts';
import { readPage } from '../../../../harness/documents/results/page.ts';
import { resultsText } from '../../../../harness/documents/results/results-index.ts';

/** A line of the index is read in one go. */
const mostWords = 25;

const claims = await loadPaperClaims();
const pages = await loadPages();

/** Numbers that stand alone: not the 3 of "BBRv3", not part of a longer number. */
const numbersOf = (text: string) => text.match(/(?<![\p{L}\d.])\d+(?:\.\d+)?(?![\p{L}\d]|\.\d)/gu) ?? [];

/** Numbers of a text that are on none of the pages with these names. */
function numbersNotOn(text: string, names: readonly string[]): string[] {
  const there = new Set(names.flatMap(name => numbersOf(pages.get(name)!.markdown)));
  return numbersOf(text).filter(number => !there.has(number));
}

test('every claim of the five papers has a line, and each paper one main claim', () => {
  const count = Object.fromEntries(
    Map.groupBy(claims, ({ paper }) => paper)
      .entries()
      .map(([id, of]) => [id, of.length]),
  );
  assert.deepEqual(count, { juntima: 8, baldassin: 13, drucker: 11, mishra: 12, philip: 15 });
  const main = claims.filter(({ isMain }) => isMain === true).map(({ paper }) => paper);
  assert.deepEqual(main, Object.keys(papers));
  assert.equal(new Set(claims.map(({ paper, place }) => `${paper} ${place}`)).size, claims.length, 'two of one place');
});

test(`no text of a claim has more than ${mostWords} words`, () => {
  const texts = claims.flatMap(claim => [claim.text, claim.differs, ...('measured' in claim ? [claim.measured] : [])]);
  assert.deepEqual(
    texts.filter(text => text.split(/\s+/).length > mostWords),
    [],
  );
});

test('numbers are found as they stand in a text', () => {
  assert.deepEqual(numbersOf('BBRv3 keeps 3.43 Mbit/s [2.17, −5.33], in 6 of 6; at 20 ms, 360p.'), [
    ...['3.43', '2.17', '5.33', '6', '6', '20'],
  ]);
});

test('every measured number of the index is on a page that its line names', () => {
  const said = [
    ...claims.flatMap(claim =>
      'measured' in claim ? [{ text: `${claim.measured} ${claim.differs}`, of: claim.pages }] : [],
    ),
    ...answers.map(({ question, answer, pages: of }) => ({ text: `${question} ${answer}`, of })),
  ];
  assert.ok(said.length > 40);
  assert.deepEqual(
    said.flatMap(({ text, of }) => {
      const missing = numbersNotOn(text, of);
      return missing.length === 0 ? [] : [`${text}: ${missing.join(', ')} on none of ${of.join(', ')}`];
    }),
    [],
  );
  assert.deepEqual(numbersNotOn('The stream keeps 7.38 of 7.37 Mbit/s', ['bbr-flood']), ['7.37']);
});

test('the numbers below the table of the README are on the pages of its lines', () => {
  const [, below] = readFileSync(join(projectRoot, 'README.md'), 'utf8').split('<!-- end: flagship -->');
  const text = below!.slice(0, below!.indexOf('\n## ')).replace(/\]\([^)]*\)/g, ']');
  assert.ok(numbersOf(text).length > 5);
  assert.deepEqual(numbersNotOn(text, ['bbr-flood', 'bbr-flood-20ms', 'shapers']), [String(claims.length)]);
});

test('the index has every page and every claim, says who lacks a public number, and refutes nobody', () => {
  const text = resultsText(claims, pages);
  for (const { name, tries } of pages.values()) {
    assert.ok(text.includes(`](${name}.md)`), name);
    assert.ok(tries === null || tries.counted > 0, name);
  }
  const [minute, rest] = text.split(`\n## ${Object.values(papers)[0]!.authors}\n`);
  const lines = rest!.split('\n').filter(line => / \| [●◐○◌–] \w/u.test(line));
  assert.equal(lines.length, claims.length);
  const unmeasured = lines.filter(line => line.includes('not measured yet'));
  assert.equal(unmeasured.length, claims.filter(({ verdict }) => verdict === 'not-measured').length);
  assert.doesNotMatch(text, /refuted/);
  assert.match(minute!, /^- \*\*Which main claim[^]*Drucker et al\.[^]*Mishra et al\./m);
  // the numbers of trials behind the answers stand beside them
  for (const { pages: of } of answers)
    for (const name of of) assert.ok(minute!.includes(pages.get(name)!.trials!), name);
});

test('a page tells its trials, its tries and its commit', () => {
  const page = readPage(
    'x',
    [
      '# A title',
      '<!-- written by npm run report -- RUN --page FILE: do not edit -->',
      'What happens?',
      '| Condition | n | Rate |\n| --- | --- | --- |\n| one | 6 | 1 |\n| two | 4 | 2 |',
      '| Tries | all | valid | valid, disturbed | void | Why |\n| --- | --- | --- | --- | --- | --- |\n' +
        '| one | 7 | 4 | 2 | 1 | – |\n| two | 4 | 4 | 0 | 0 | – |',
      '| Study | `x`, 6 repeats, window 40 s after 3 s of start-up |',
      '| Coexist | 1.0.0, commit 96acf83c41b3 |\n| Started | 2026-11-28T04:49:50.073Z |',
    ].join('\n\n'),
  );
  assert.deepEqual(
    { ...page, markdown: '' },
    {
      name: 'x',
      title: 'A title',
      question: 'What happens?',
      trials: '4 to 6 × 40 s',
      tries: { counted: 10, disturbed: 2, void: 1 },
      commit: '96acf83c',
      measured: '2026-11-28',
      markdown: '',
    },
  );
  const { trials, tries } = pages.get('nash-two')!;
  assert.deepEqual(
    { trials, tries },
    { trials: '89 in all × 60 s', tries: { counted: 89, disturbed: null, void: 20 } },
  );
  assert.equal(pages.get('pairs-8mbit')!.trials, '3 × 40 s');
});
