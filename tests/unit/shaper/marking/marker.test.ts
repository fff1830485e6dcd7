import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { checkMarker, Marker, type MarkRule } from '../../../../shaper/marking/marker.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { ready, untilEnded } from '../support/scripts.ts';

const route = '[{"dst":"10.0.2.2","dev":"toLink"}]';
const media: MarkRule = { protocol: 17, port: 50_000, onlyRtp: true, ecn: { from: 'not-ect', to: 'ect1' } };

test('it marks at the device on the way to the address, and tells how many packets it changed', async () => {
  const host = fakeHost(untilEnded('echo "{\\"changed\\":12}"'), route);
  const marker = await Marker.start(host, '10.0.2.2', media);
  assert.deepEqual(host.asked, [['ip', '-j', 'route', 'get', '10.0.2.2']]);
  const [words] = host.started;
  assert.match(words![0]!, /coexist-marker$/);
  assert.deepEqual(words!.slice(3), ['toLink', '17', '50000', 'rtp', '0', '1', 'keep']);
  assert.equal(await marker.stop(), 12);
});

test('a rule for a DSCP, and one for all packets with ECT(0)', async () => {
  for (const [rule, words] of [
    [{ protocol: null, port: null, dscp: 46 }, ['0', '0', 'all', '0', 'keep', '46']],
    [{ protocol: 6, port: 5201, ecn: { from: 'ect0', to: 'ect1' } }, ['6', '5201', 'all', '2', '1', 'keep']],
  ] as const) {
    const host = fakeHost(untilEnded('echo "{\\"changed\\":0}"'), route);
    await (await Marker.start(host, '10.0.2.2', rule)).stop();
    assert.deepEqual(host.started[0]!.slice(4), words);
  }
});

test('where packets cannot be marked, one line says so, with exit status 2', async () => {
  const lacks = { code: 'missing-kernel-feature', exitStatus: 2, hint: /npm run setup/ };
  const host = fakeHost(
    'echo "coexist-marker: the kernel refused the marker: Operation not permitted" >&2; exit 2',
    route,
  );
  await assert.rejects(Marker.start(host, '10.0.2.2', media), {
    ...lacks,
    message:
      'packets of server cannot be marked: coexist-marker: the kernel refused the marker: Operation not permitted',
  });
  const said = 'libbpf: Failed to bump RLIMIT_MEMLOCK\ncoexist-marker: the kernel refused the marker: Not permitted\n';
  const failing = (stderr: string) => ({
    ...host,
    run: async () => ({ status: 2, signal: null, stdout: '', stderr }),
  });
  const cannot = (reason: string) => ({ ...lacks, message: `packets cannot be marked here: ${reason}` });
  await assert.rejects(
    checkMarker(failing(said)),
    cannot('coexist-marker: the kernel refused the marker: Not permitted'),
  );
  await assert.rejects(checkMarker(failing('')), cannot('it ended with status 2'));
});

test('a marker that ends by itself is told at once', async () => {
  const host = fakeHost(`${ready}; echo "coexist-marker: killed" >&2; exit 2`, route);
  const marker = await Marker.start(host, '10.0.2.2', media);
  await assert.rejects(within(marker.failed, 30_000, 'the failure'), {
    code: 'probe-died',
    message: /^the marker of server ended in the middle of the trial: coexist-marker: killed/,
  });
  assert.equal(await marker.stop(), null);
});

test('a host without a way to the address is refused', async () => {
  await assert.rejects(Marker.start(fakeHost('true', '[]'), '10.0.2.2', media), { code: 'link-refused' });
});
