/** The doctor on this machine: every capability is tried, and what it says is what trying shows. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Capability } from '../../core/system/capability.ts';
import { groupPlace } from '../../harness/trial/browser/bounds.ts';
import { confinement } from '../../harness/trial/browser/confinement.ts';
import { cannotRun, namespacesOf, Place } from '../e2e/support/run-command.ts';

const place = new Place();
after(() => place.remove());

test('it says whether browsers are confined, sandboxed and limited, tries the rest, and leaves nothing', {
  skip: cannotRun,
}, async () => {
  const { status, stdout, stderr } = await place.run(['doctor', '--json']);
  assert.equal(status, 0, stderr);
  const { able, capabilities } = JSON.parse(stdout) as { able: boolean; capabilities: Capability[] };
  assert.equal(able, true);
  const of = (id: string) => capabilities.find(capability => capability.id === id)!;
  const here = await confinement();
  assert.equal(of('confinement').works, here.isConfined && here.hasChromiumSandbox);
  assert.match(
    of('confinement').found,
    here.isConfined ? /^browsers run (as the user "nobody"|without capabilities)/ : /the rights of this command/,
  );
  assert.equal(/ with Chromium's sandbox$/.test(of('confinement').found), here.isConfined && here.hasChromiumSandbox);
  assert.equal(of('limits').works, 'parent' in (await groupPlace()));
  for (const id of ['browser', 'libx264', 'iperf3']) assert.equal(of(id).works, true, of(id).found);
  for (const id of ['decoders', 'tunnel-noq', 'tunnel-quic-go', 'vmaf', 'awake-cores', 'h264_nvenc'])
    assert.equal(typeof of(id).works, 'boolean', id);
  for (const { id, works, found, cost, mend } of capabilities)
    assert.ok(works ? found !== '' : cost !== '' && mend !== '', id);
  assert.deepEqual(await namespacesOf(place.state), []);
});
