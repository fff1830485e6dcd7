import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComparisonDefinition } from '../../../../harness/definition/claim.ts';
import { loadStudy } from '../../../../harness/definition/load.ts';
import { plugin as claimsSection } from '../../../../reports/judged/claims/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const text = (of: { textContent: string }) => of.textContent.replace(/\s+/g, ' ').trim();

/**
 * Claims on six trials of "alone" without a stall, six of "wired" with one of 1.5 s, and six of "lossy" with one of 0.3
 * s.
 */
async function claimsOf(study: string, ...holds: ComparisonDefinition[]) {
  return claimsFrom(['section 9'], study, holds);
}

/** Makes a claim of each source. Undefined: the source of the study, which is "own". */
async function claimsFrom(sources: readonly (string | undefined)[], study: string, holds: ComparisonDefinition[]) {
  const claims = sources.map(source => ({
    text: 'The download stops the picture.',
    ...(source === undefined ? {} : { source }),
    holds,
  }));
  const plan = { ...planOf({ conditions, claims, run: { window: '10s', repeats: 6 } }), study };
  const stalls: Record<string, number> = { alone: 0, wired: 1500, lossy: 300 };
  const made = plan.trials.map(({ condition }) => ({ stallMs: stalls[condition]! }));
  return parsePage((await renderSections([claimsSection], plan, made)).page).querySelector('#claims');
}

test('a claim has its verdict, and a row for what was measured, what was claimed and what is beside it', async () => {
  const than = { metric: 'stall-time', than: 'alone' } as const;
  const section = await claimsOf(
    'study',
    { ...than, condition: 'wired', expects: 'higher', by: '1s' },
    { ...than, condition: 'lossy', expects: 'not-higher', within: '1s' },
    { metric: 'stall-time', condition: 'lossy', than: 'wired', expects: 'not-higher', within: '15%' },
  );
  assert.equal(
    text(section!.querySelector('li')!),
    'reproduced: The download stops the picture. (section 9; 3 of 3 comparisons hold)',
  );
  const rows = [...section!.querySelectorAll('tbody tr')].map(text);
  assert.match(rows[0]!, /Wired ?1\.50 s.* at least 1\.00 s higher than ?Alone ?0\.00 s.*holds$/);
  assert.match(rows[1]!, /at most 1\.00 s higher than/);
  assert.match(rows[2]!, /at most 15 % higher than/);
});

test('a difference that is too small refutes', async () => {
  const [wanted] = [{ metric: 'stall-time', condition: 'lossy', than: 'alone', expects: 'higher', by: '1s' }] as const;
  const section = await claimsOf('study', wanted);
  assert.match(text(section!.querySelector('li')!), /^refuted: .*; 0 of 1 comparison holds, 1 does not\)$/);
});

test('the claims of a run are those of its plan, also where the study of that name has others now', async () => {
  const shipped = (await loadStudy('quic-latency')).definition.claims!;
  const section = await claimsOf('quic-latency', { metric: 'stall-time', condition: 'wired', above: '1s' });
  assert.equal(section!.querySelectorAll('figure').length, 1);
  assert.ok(shipped.length > 1 && !shipped.some(claim => section!.textContent.includes(claim.text)));
});

test('without claims there is no such section', async () => {
  const { page } = await renderSections([claimsSection], planOf({ run: { window: '10s' } }), [{}]);
  assert.equal(parsePage(page).querySelector('#claims'), null);
});

test('claims of the study itself are not called those of a paper', async () => {
  const holds: ComparisonDefinition[] = [
    { metric: 'stall-time', condition: 'wired', than: 'alone', expects: 'higher', by: '1s' },
  ];
  const own = await claimsFrom([undefined, 'own; the link of Juntima et al.'], 'study', holds);
  assert.equal(text(own!.querySelector('h2')!), 'Claims of this study');
  assert.equal(text(own!.querySelector('li')!), 'confirmed: The download stops the picture. (1 of 1 comparison holds)');
  assert.match(text(own!), /A claim is confirmed if all of its rows hold/);
  assert.doesNotMatch(text(own!), /paper|reproduced/);
  const both = await claimsFrom([undefined, 'section 9'], 'study', holds);
  assert.equal(text(both!.querySelector('h2')!), 'Claims');
  assert.deepEqual([...both!.querySelectorAll('.verdict li b')].map(text), ['confirmed', 'reproduced']);
  const papers = await claimsOf('study', ...holds);
  assert.equal(text(papers!.querySelector('h2')!), 'What the paper found');
});

test('the heading follows the sources of the claims', async () => {
  const holds: ComparisonDefinition[] = [{ metric: 'stall-time', condition: 'wired', above: '1s' }];
  const headingOf = async (sources: readonly string[]) =>
    text((await claimsFrom(sources, 'study', holds))!.querySelector('h2')!);
  assert.equal(await headingOf(['RFC 9330, section 1: low delay', 'RFC 9331; RFC 9332']), 'What the RFCs claim');
  assert.equal(await headingOf(['section 4.2; Figure 2c', 'Karimi et al., "Vidaptive"']), 'What the paper found');
  for (const mixed of [['RFC 9330', 'section 4.2'], ['ITU-T G.114, section 1'], ['rtcbits (2024)']])
    assert.equal(await headingOf(mixed), 'What the sources claim', mixed.join());
  const shipped = { l4s: 'What the sources claim', 'quic-loss': 'What the paper found', aqm: 'Claims' };
  for (const [name, heading] of Object.entries(shipped)) {
    const { source, claims } = (await loadStudy(name)).definition;
    assert.equal(await headingOf(claims!.map(claim => claim.source ?? source)), heading, name);
  }
});
