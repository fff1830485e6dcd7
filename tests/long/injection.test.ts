/** Hundreds of runs of known truth, through summary and verdict: at most 5 % of what the reports say of them is false. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { excesses, injected, injections } from '../unit/reports/support/injections.ts';

const folder = temporaryFolder();
const reports = 60;

for (const kind of Object.keys(injections)) {
  test(`${kind}: of ${reports} reports at most 5 % of what they say is false`, async t => {
    const count = await injected(folder, kind, reports);
    t.diagnostic(`${[...count.kinds].map(([of, { wrong, all }]) => `${of} ${wrong} of ${all}`).join(', ')}; a false claim in ${count.reportsWithFalseClaim} reports`);
    assert.deepEqual(excesses(count), [], count.examples.join('\n'));
    assert.ok(count.kinds.get('stalls')!.all >= 2 * reports && count.kinds.get('interval of a median')!.all > reports, 'the words were found');
    if (kind === 'an effect in one metric') {
      assert.ok(count.kinds.get('claim')!.all > reports / 4 && count.kinds.get('what would have been shown')!.all > reports / 20, 'effects were found, and missed');
    }
  });
}
