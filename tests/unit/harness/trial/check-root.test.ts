import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { command as clean } from '../../../../harness/cli/clean.ts';
import { command as demo } from '../../../../harness/cli/demo.ts';

function asSomebody(t: TestContext): void {
  t.mock.method(process as { getuid: () => number }, 'getuid', () => 1000);
}
const hint = 'run it with sudo, or as root in a container that has CAP_NET_ADMIN and CAP_SYS_ADMIN';

test('the demonstration and clean ask for root as studies do, with the same mend', async t => {
  asSomebody(t);
  await assert.rejects(demo([]), {
    code: 'no-root',
    message: 'the demonstration needs root, to make network namespaces and to set the link',
    hint,
  });
  await assert.rejects(clean([]), {
    code: 'no-root',
    message: 'removing what a run left needs root, to remove network namespaces and to end processes',
    hint,
  });
});
