import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirePrimary } from '../../../../../harness/analysis/gate/primary.ts';
import { loadQuantities } from '../../../../../harness/studies/metrics.ts';
import { planOf } from '../../support/plan.ts';

const quantities = await loadQuantities();
const required = (...primary: string[]) => requirePrimary(planOf({ primary }), quantities);

test('primary metrics are such as are tested, each once', () => {
  required('rtt-mean', 'goodput');
  requirePrimary(planOf(), quantities);
  const refused = (primary: string[], message: RegExp) =>
    assert.throws(() => required(...primary), { code: 'bad-definition', message });
  refused(['goodput', 'rtt-meen'], /^study: primary\.1: there is no metric "rtt-meen"; did you mean "rtt-mean"\?/);
  refused(['goodput', 'goodput'], /^study: primary\.1: goodput is named twice$/);
  const { id } = quantities.find(({ better }) => better === null)!;
  refused([id], new RegExp(`^study: primary\\.0: ${id} is not tested, because neither direction of it is better$`));
});
