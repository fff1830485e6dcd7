/** Titles, names of models and reasons from strangers in the site of a pairwise study: they stay text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SiteCycle } from '../../reports/pairs/site/cycle.ts';
import { renderSite } from '../../reports/pairs/site/site.ts';
import { contestant, plan } from '../unit/harness/studies/pairs/support/study.ts';
import { siteCycles } from '../unit/reports/pairs/support.ts';
import { parsePage } from '../unit/reports/support/run.ts';
import { effort } from './effort.ts';

const matrix = plan([contestant('one'), contestant('two')]);
const rates = { '8mbit-one-alone': [7], '8mbit-one-and-two': [1, 6], '8mbit-one-and-one': [4, 4] };
const made = siteCycles([
  { plan: matrix, rates },
  { plan: matrix, rates: { ...rates, '8mbit-one-and-two': [3, 4] } },
]);

const text = fc.oneof(
  fc.constantFrom(
    '<script>x</script>',
    '</title><img src=x onerror=y>',
    '"onload="z',
    "' href='javascript:x",
    ']]>',
    '&amp;<b>',
    '<!--',
    '-->',
    '\u0000\u0008\u001f\ufffe',
    '\ud800',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

function withTexts(texts: readonly string[]): SiteCycle[] {
  let k = 0;
  const next = () => texts[k++ % texts.length]!;
  return made.map(cycle => ({
    ...cycle,
    summary: {
      ...cycle.summary,
      contestants: cycle.summary.contestants.map(one => ({ ...one, title: next(), models: next() })),
      links: cycle.summary.links.map(link => ({ ...link, title: next() })),
      cells: cycle.summary.cells.map(cell => ({ ...cell, reason: next() })),
    },
    changes: cycle.changes === null ? null : { ...cycle.changes, machine: [next()], services: [`one is ${next()}`] },
  }));
}

/** Throws where it is no XML 1.0 document: every tag is closed in its order, and nothing is in it that may not be. */
function checkXml(document: string): void {
  const odd = [...document].filter(character => character < ' ' || character === '\ufffe' || character === '\uffff');
  assert.ok(odd.every(character => character === '\n' || character === '\t' || character === '\r'));
  assert.ok(document.isWellFormed(), 'half of a surrogate pair');
  const open: string[] = [];
  const rest = document
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
    .replace(
      /<(\/?)([a-zA-Z:]+)((?: [a-zA-Z:]+="[^"<]*")*)(\/?)>/g,
      (_, end: string, name: string, _attributes, self: string) => {
        if (end === '/') assert.equal(open.pop(), name);
        else if (self === '') open.push(name);
        return '';
      },
    );
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/);
}

test('whatever services are called, pages hold no element and feeds no tag of theirs', async () => {
  const usual = await renderSite({ title: 'A', cycles: withTexts(['plain']), underWay: null, url: null });
  const shapeOf = (page: string) =>
    [...parsePage(page).querySelectorAll('*')].map(({ tagName, attributes }) =>
      [tagName, ...[...attributes].map(({ name }) => name)].join(' '),
    );
  const shapes = new Map(
    usual.filter(({ path }) => path.endsWith('.html')).map(({ path, text: page }) => [path, shapeOf(page)]),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 9 }), async (title, texts) => {
      for (const { path, text: page } of await renderSite({
        title,
        cycles: withTexts(texts),
        underWay: null,
        url: null,
      })) {
        if (path.endsWith('.xml')) checkXml(page);
        else assert.deepEqual(shapeOf(page), shapes.get(path), path);
      }
    }),
    effort(20261124, 14),
  );
});
