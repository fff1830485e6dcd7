import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerProgram } from '../../../../../harness/services/shared/server-program.ts';
import { fakeHost } from '../../support/fake-host.ts';

const program = new URL('file:///program.ts');
const start = (script: string) => ServerProgram.start(fakeHost(script), "the test's server", program, { port: 1 });

test('it is there when it says so, and ends when it is ended', async () => {
  const on = fakeHost('echo listening; exec sleep 30');
  const server = await ServerProgram.start(on, "the test's server", program, { port: 1 });
  assert.deepEqual(on.started[0]!.slice(-2), ['/program.ts', '{"port":1}']);
  const quiet = await Promise.race([
    server.failed.then(
      () => 'failed',
      () => 'failed',
    ),
    server.close().then(() => 'closed'),
  ]);
  assert.equal(quiet, 'closed');
});

test('one that does not start says why', async () => {
  await assert.rejects(start('echo "address in use" >&2; exit 2'), {
    code: 'server-failed',
    message: "the test's server did not start: address in use",
  });
});

test('one that ends by itself is a failure', async () => {
  const server = await start('echo listening; exit 3');
  await assert.rejects(server.failed, {
    code: 'server-died',
    message: "the test's server ended in the middle of the trial: status 3",
  });
  await server.close();
});
