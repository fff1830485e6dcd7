/** A few runs of known truth, through summary and verdict: what the report says of them is true. tests/long has hundreds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../harness/support/folder.ts';
import { excesses, injected, injections } from './support/injections.ts';

const folder = temporaryFolder();
const reports = 3;

for (const kind of Object.keys(injections)) {
  test(`${kind}: of ${reports} reports at most 5 % of what they say is false`, async t => {
    const count = await injected(folder, kind, reports);
    t.diagnostic(`${[...count.kinds].map(([of, { wrong, all }]) => `${of} ${wrong} of ${all}`).join(', ')}; a false claim in ${count.reportsWithFalseClaim} reports`);
    assert.deepEqual(excesses(count), [], count.examples.join('\n'));
    assert.ok(count.kinds.get('stalls')!.all >= 2 * reports && count.kinds.get('interval of a median')!.all > reports, 'the words were found');
  });
}
