/** The documents: what is generated is current, and nothing they name is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outdatedDocuments } from '../../harness/documents/generated.ts';

test('generated documents are current; if not: npm run docs', async () => {
  assert.deepEqual((await outdatedDocuments()).map(({ path }) => path), []);
});
