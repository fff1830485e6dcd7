import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lease } from '../../../../core/lease.ts';
import { releaseCongestionControls, removeCongestionControls } from '../../../../harness/runner/congestion-controls.ts';
import { temporaryFolder } from '../support/folder.ts';

process.env['COEXIST_STATE_DIR'] = temporaryFolder();

test('the last run that uses it takes it away, whoever has put it there; also when all end at once', async () => {
  let unloaded = 0;
  const unload = async () => ++unloaded > 0;
  const leases = [Lease.open(), Lease.open(), Lease.open()];
  for (const lease of leases) lease.addCongestionControl('bbr3');
  await releaseCongestionControls(leases[0]!, unload);
  assert.equal(unloaded, 0, 'two runs still use it');
  assert.deepEqual(
    await removeCongestionControls(['bbr3'], unload),
    [],
    'nor does cleaning after a killed run take it',
  );
  await Promise.all(leases.slice(1).map(lease => releaseCongestionControls(lease, unload)));
  assert.ok(unloaded >= 1);
  for (const lease of leases) lease.release();
});

test('who uses none takes none away, and one that cannot be taken away stays', async () => {
  const lease = Lease.open();
  await releaseCongestionControls(lease, async () => assert.fail('it is not ours'));
  lease.addCongestionControl('bbr3');
  await releaseCongestionControls(lease, async () => {
    throw new Error('busy');
  });
  lease.release();
});
