import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindFacts, serviceKinds } from '../../../../core/vocabulary/service-kinds.ts';
import { qualityQuantities } from '../../../../harness/studies/pairs/quality.ts';
import { cellQuantities } from '../../../../harness/studies/pairs/summary.ts';

test('every quantity by which a kind is told is one that a pairwise study measures', () => {
  const measured = new Set<string>([...cellQuantities, ...qualityQuantities].map(({ id }) => id));
  for (const [kind, { quality }] of Object.entries(serviceKinds))
    assert.deepEqual(
      quality.filter(id => !measured.has(id)),
      [],
      kind,
    );
});

test('what moves data alone has no user whose quality could be told, and everything else has', () => {
  for (const kind of Object.keys(serviceKinds)) {
    const { isTransfer = false, quality } = kindFacts(kind);
    assert.equal(quality.length === 0, isTransfer, kind);
  }
});

test('a kind that is not known has nothing', () => {
  for (const kind of ['dance', 'toString']) assert.deepEqual(kindFacts(kind), { quality: [] });
});
