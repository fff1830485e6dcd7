import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { findFloodKinds } from '../../../../harness/demo/flood-kinds.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import { plugin as iperf } from '../../../../harness/services/iperf/index.ts';

test('each kind is offered with what keeps this machine from it', async () => {
  const kinds = await findFloodKinds(
    serviceOf({
      ...iperf,
      check: async ({ congestionControl }) => {
        if (congestionControl === 'bbr3') throw new CoexistError('missing-congestion-control', 'no BPF here');
      },
    }),
    'vegas',
  );
  const bbr = kinds.find(({ name }) => name === 'bbr')!;
  assert.match(bbr.label, /^(BBRv[12]|BBRv3 of the kernel)$/); // the label depends on the kernel
  assert.deepEqual(kinds, [
    { name: 'bbr3', label: 'BBRv3', obstacle: 'no BPF here' },
    { name: 'bbr', label: bbr.label, obstacle: null },
    { name: 'cubic', label: 'CUBIC', obstacle: null },
    { name: 'reno', label: 'Reno', obstacle: null },
    { name: 'vegas', label: 'Vegas', obstacle: null },
  ]);
});

test("the kernel's own BBRv3 has a label that tells it from the one that is loaded", async () => {
  const kinds = await findFloodKinds(serviceOf({ ...iperf, check: async () => {} }), 'bbr3-kernel');
  assert.equal(kinds.find(({ name }) => name === 'bbr3-kernel')!.label, 'BBRv3 of the kernel');
});
