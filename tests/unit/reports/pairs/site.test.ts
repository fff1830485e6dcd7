import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderFeed } from '../../../../reports/pairs/site/feed.ts';
import { renderLanding } from '../../../../reports/pairs/site/landing.ts';
import { renderSite } from '../../../../reports/pairs/site/site.ts';
import { linkVerdict } from '../../../../reports/pairs/site/verdict.ts';
import { contestant, plan } from '../../harness/studies/pairs/support/study.ts';
import { parsePage } from '../support/run.ts';
import { siteCycles } from './support.ts';

const two = plan([contestant('reno'), contestant('batch')]);
const three = plan([contestant('reno'), contestant('batch'), contestant('call', 2e6, 'video-call')]);
const whole = { '8mbit-reno-alone': [7.8], '8mbit-reno-and-reno': [3.8, 4], '8mbit-batch-and-batch': [4, 4] };
const cycles = siteCycles([
  { plan: two, rates: { ...whole, '8mbit-reno-and-batch': [1, 6.8] } },
  { plan: two, rates: { ...whole, '8mbit-reno-and-batch': [1.1, 6.7] } },
  { plan: three, rates: { ...whole, '8mbit-reno-and-batch': [2, 5.8] }, kernel: '6.19' },
]);
const files = new Map(
  (await renderSite({ title: 'A matrix', cycles, underWay: null, url: null })).map(({ path, text }) => [path, text]),
);
const page = (path: string) => parsePage(files.get(path)!);
const words = (of: { textContent: string | null } | null) => (of?.textContent ?? '').replace(/\s+/g, ' ').trim();
const hrefs = (of: { querySelectorAll(selector: string): ArrayLike<{ getAttribute(name: string): string | null }> }) =>
  Array.from(of.querySelectorAll('a'), link => link.getAttribute('href'));

test('the landing page begins with a sentence for each link, and the matrix of the newest cycle', () => {
  const landing = page('index.html');
  const sections = [...landing.querySelectorAll('main > section')].map(section => section.id);
  assert.deepEqual(sections, ['verdict', 'matrix', 'changes', 'services', 'pairs', 'cycles']);
  assert.match(
    words(landing.querySelector('#verdict li')),
    /^8 Mbit\/s.*: RENO gets least: 50\.0 % \[50\.0, 50\.0\] of its fair share beside BATCH; the loser of a pair gets 95\.0 % in the median of 3 pairs\.$/,
  );
  assert.ok(hrefs(landing.querySelector('#matrix')!).includes('pairs/8mbit-reno-and-batch.html'));
  assert.match(words(landing.querySelector('#changes')), /Against cycle 0002: kernel: 6\.18 → 6\.19; call is new/);
  assert.deepEqual(hrefs(landing.querySelector('#services')!), [
    'services/reno.html',
    'services/batch.html',
    'services/call.html',
  ]);
  assert.deepEqual(hrefs(landing.querySelector('#cycles')!), [
    'cycles/0003/report.html',
    'cycles/0002/report.html',
    'cycles/0001/report.html',
  ]);
  assert.match(words(landing.querySelector('#cycles')), /2 of 6 shares moved/);
  assert.doesNotMatch(words(landing.body), /under way/);
});

test('a whole matrix says the median of the losers; a fair one that nobody gets little', () => {
  const [fair] = siteCycles([{ plan: two, rates: { ...whole, '8mbit-reno-and-batch': [3.9, 4.1] } }]);
  const { summary } = fair!;
  assert.match(
    linkVerdict(summary, summary.links[0]!),
    /^nobody gets much less than its fair share; RENO gets least, 95\.0 % \[95\.0, 95\.0\] of its fair share beside itself; the loser of a pair gets 97\.5 % in the median of 3 pairs\.$/,
  );
  const [once] = siteCycles([{ plan: two, rates: { '8mbit-reno-and-batch': [1, 6.8] }, trials: 1 }]);
  assert.match(
    linkVerdict(once!.summary, once!.summary.links[0]!),
    /gets least: 25\.0 % of its fair share beside BATCH \(n = 1, no interval\)\.$/,
  );
  const [none] = siteCycles([{ plan: two, rates: {} }]);
  assert.equal(linkVerdict(none!.summary, none!.summary.links[0]!), 'no pair could be measured.');
});

test('the page of a pair has its history over the cycles, and every trial of each', () => {
  const pair = page('pairs/8mbit-reno-and-batch.html');
  assert.equal(words(pair.querySelector('h1')), 'RENO beside BATCH');
  assert.ok(pair.querySelector('figure svg') !== null);
  const rows = [...pair.querySelectorAll('tbody tr')];
  assert.deepEqual(
    rows.map(row => words(row.querySelector('td'))),
    ['50.0 %[50.0, 50.0]', '27.5 %[27.5, 27.5]', '25.0 %[25.0, 25.0]'],
  );
  assert.deepEqual(
    rows.map(row => words(row).includes('a share moved')),
    [true, true, false],
  );
  const links = hrefs(rows[1]! as never);
  assert.equal(links[0], '../cycles/0002/report.html#8mbit-reno-and-batch');
  assert.deepEqual(
    links.slice(1),
    [1, 2, 3, 4, 5, 6, 7].map(k => `../cycles/0002/trials/8mbit-reno-and-batch-00${k}/index.html`),
  );
  const twin = page('pairs/8mbit-reno-and-reno.html');
  assert.equal(words(twin.querySelector('h1')), 'RENO beside itself');
  assert.doesNotMatch(words(twin.body), /a share moved(?! where)/, 'the move of another pair is not its own');
  assert.match(words(page('pairs/8mbit-reno-alone.html').body), /RENO alone.*7\.80 Mbit\/s/);
});

test('the page of a service has what it gets beside each other one, and leads to the pairs', () => {
  const service = page('services/reno.html');
  const rows = [...service.querySelectorAll('tbody tr')].map(words);
  assert.ok(
    rows.some(row => /^beside BATCH ?50\.0 %.*27\.5 %.*25\.0 %/.test(row)),
    rows.join('\n'),
  );
  assert.ok(rows.some(row => /^beside itself \(the lower share\) ?95\.0 %/.test(row)));
  assert.ok(rows.some(row => /^alone \(throughput\) ?7\.80 Mbit\/s/.test(row)));
  assert.ok(hrefs(service.body as never).includes('../pairs/8mbit-reno-and-batch.html'));
});

test('a service and a pair that only older cycles have keep their pages', async () => {
  const gone = await renderSite({
    title: 'A',
    cycles: [cycles[2]!, { ...cycles[0]!, name: '0004' }],
    underWay: null,
    url: null,
  });
  const call = gone.find(({ path }) => path === 'services/call.html');
  assert.match(call!.text, /It is not in the newest cycle/);
  assert.ok(gone.some(({ path }) => path === 'pairs/8mbit-reno-and-call.html'));
});

test('before the first cycle is done the page says that it is under way', async () => {
  const landing = parsePage(
    await renderLanding('A matrix', [], { name: '0001', createdMs: Date.UTC(2026, 10, 21, 5) }),
  );
  assert.match(words(landing.body), /Cycle 0001, begun 2026-11-21 05:00 UTC, is under way/);
  assert.equal(landing.querySelector('table'), null);
});

test('the feed has an item for each cycle, the newest first, with what changed', () => {
  const feed = files.get('feed.xml')!;
  const items = [...feed.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item]) => item!);
  const of = (item: string, name: string) => new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 's').exec(item)![1];
  assert.deepEqual(
    items.map(item => of(item, 'title')),
    [
      'Cycle 0003: 2 of 6 shares moved; 2 things of machine, run or services changed',
      'Cycle 0002: 2 of 6 shares moved',
      'Cycle 0001: the first',
    ],
  );
  assert.equal(of(items[0]!, 'link'), 'cycles/0003/report.html');
  assert.equal(of(items[0]!, 'pubDate'), 'Sat, 21 Nov 2026 07:00:00 GMT');
  assert.match(of(items[0]!, 'description')!, /RENO beside BATCH on 8mbit: 27\.5 % → 50\.0 % of its fair share/);
  assert.equal(new Set(items.map(item => of(item, 'guid'))).size, 3);
  assert.match(feed, /Links are relative to this file: --site-url URL makes them absolute/);
  const absolute = renderFeed('A matrix', cycles, 'https://example.org/c/');
  assert.match(absolute, /<link>https:\/\/example\.org\/c\/index\.html<\/link>/);
  assert.match(
    absolute,
    /<atom:link rel="self" type="application\/rss\+xml" href="https:\/\/example\.org\/c\/feed\.xml"\/>/,
  );
  assert.doesNotMatch(absolute, /Links are relative/);
});
