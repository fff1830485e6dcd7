import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { localHost } from '../../../../core/system/local-host.ts';
import type { HeldBbr3, holdBbr3 } from '../../../../shaper/bbr3/loader.ts';
import { keepBbr3, shareBbr3 } from '../../../../shaper/bbr3/shared-hold.ts';
import type { Bbr3Budget } from '../../../../shaper/bbr3/telemetry.ts';

/** Operations on the kernel, in order. */
const done: string[] = [];
let fail: (error: Error) => void;
beforeEach(() => void done.splice(0));

const hold: typeof holdBbr3 = async (_, budget = 'draft') => {
  done.push(`hold ${budget}`);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  fail = reject;
  return { identity: { budget }, failed, release: async () => void done.push(`end ${budget}`) } as HeldBbr3;
};
/** A new machine for each test, distinct because the host is not this machine. */
function machine(with_ = hold): (budget?: Bbr3Budget) => Promise<HeldBbr3> {
  const { command: _, ...host } = localHost;
  return (budget = 'draft') => shareBbr3(host, budget, with_);
}

test('flows share one holder, which ends with the last of them', async () => {
  const share = machine();
  const [first, second] = await Promise.all([share(), share()]);
  await first!.release();
  await first!.release();
  assert.deepEqual(done, ['hold draft']);
  await second!.release();
  assert.deepEqual(done, ['hold draft', 'end draft']);
  await (await share()).release();
  assert.equal(done.length, 4);
});

test('while it is kept it stays from one trial to the next, until another budget is wanted', async () => {
  const share = machine();
  const lanes = [keepBbr3(), keepBbr3()];
  await (await share()).release();
  await (await share()).release();
  assert.deepEqual(done, ['hold draft']);
  await (await share('kernel')).release();
  assert.deepEqual(done, ['hold draft', 'end draft', 'hold kernel']);
  await lanes[0]!.release();
  assert.equal(done.length, 3);
  await lanes[1]!.release();
  assert.deepEqual(done.slice(3), ['end kernel']);
});

test('another budget while it is in use is for the loader to refuse', async () => {
  const share = machine(async (host, budget = 'draft') => {
    if (done.length > 0) throw new Error(`no ${budget}`);
    return hold(host, budget);
  });
  const held = await share();
  await assert.rejects(share('kernel'), /no kernel/);
  await held.release();
  assert.deepEqual(done, ['hold draft', 'end draft']);
});

test('a holder that failed, or could not be had, is not given to the next flow', async () => {
  let isFirst = true;
  const share = machine(async (host, budget) => {
    if (isFirst) {
      isFirst = false;
      throw new Error('busy');
    }
    return hold(host, budget);
  });
  await assert.rejects(share(), /busy/);
  const held = await share();
  fail(new Error('killed'));
  await assert.rejects(held.failed, /killed/);
  const next = await share();
  assert.deepEqual(done, ['hold draft', 'hold draft']);
  await held.release();
  assert.equal(done.length, 2, 'the next one is in use');
  await next.release();
  assert.deepEqual(done.slice(2), ['end draft']);
});
