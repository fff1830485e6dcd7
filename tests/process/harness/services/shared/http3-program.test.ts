import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Child } from '../../../../../core/system/command.ts';
import { until } from '../../../../../core/system/deadline.ts';
import type { Host } from '../../../../../core/system/host.ts';
import { Http3Program, http3Program, http3Version } from '../../../../../harness/services/shared/http3-program.ts';
import { fakeHost } from '../../../../unit/harness/support/fake-host.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';
import { standIn } from '../../../../unit/harness/support/stand-in.ts';

const folder = temporaryFolder();

const stand = (name: string, script: string) => standIn(folder, name, script);

/** Returns a host that runs a shell script in place of the program, with the program's input. */
function host(script: string): Host & { started: string[][] } {
  const started: string[][] = [];
  return {
    ...fakeHost(''),
    started,
    start(name, argv) {
      started.push([...argv]);
      return new Child(name, spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe'] }));
    },
  };
}

const options = {
  listen: '10.0.1.2',
  firstPort: 8100,
  ports: 2,
  to: '127.0.0.1',
  congestionControl: 'bbr3',
  key: 'key\n',
  cert: 'cert\n',
};
const start = (on: Host) => Http3Program.start(on, "the test's server", options);
const connection = {
  port: 8101,
  peerPort: 40_000,
  congestionControl: 'bbr3',
  congestionWindowBytes: 14_720,
  rttMs: 50.125,
  sentBytes: 1e6,
  sentPackets: 900,
  lostPackets: 3,
  lostBytes: 3600,
  congestionEvents: 1,
};
const telling = (line: string) =>
  `read key; read cert; test "$key $cert" = "key cert" || exit 7; echo listening; echo '${line}'; exec cat`;

test('one that is not built, or does not run, is missing, with the command that builds it', async () => {
  const refused = (how: RegExp) => ({ code: 'missing-program', message: how, hint: /npm run setup -- http3/ });
  await assert.rejects(http3Version(join(folder, 'none')), refused(/^the HTTP\/3 server is not built$/));
  await assert.rejects(http3Version(stand('broken', 'exit 1')), refused(/does not run$/));
  await assert.rejects(http3Version(stand('other', 'echo something else')), refused(/does not run$/));
  assert.equal(
    await http3Version(stand('good', 'test "$1" = --version && echo "coexist-http3 0.1.0, noq 1.4.0"')),
    'coexist-http3 0.1.0, noq 1.4.0',
  );
});

test('it is told where to listen, gets key and certificate, and tells of its connections', async () => {
  const on = host(telling(JSON.stringify({ connections: [connection] })));
  const program = await start(on);
  try {
    assert.deepEqual(on.started, [
      [http3Program, ...'--listen 10.0.1.2 --first-port 8100 --ports 2 --to 127.0.0.1 --congestion bbr3'.split(' ')],
    ]);
    const told = await until(
      () => (program.connections().length > 0 ? program.connections() : undefined),
      30_000,
      'what it tells',
    );
    assert.deepEqual(told, [connection]);
  } finally {
    await program.close();
  }
});

test('what it tells is checked', async () => {
  for (const [line, message] of [
    ['{"connections":[{"port":1}]}', /what the HTTP\/3 server tells: connections\.0\./],
    ['panic', /told "panic", which is not JSON/],
  ] as const) {
    const program = await start(host(telling(line)));
    try {
      const error = await until(
        () => {
          try {
            program.connections();
            return undefined; // the line has not come yet
          } catch (thrown) {
            return thrown;
          }
        },
        30_000,
        'the error',
      );
      assert.ok(error instanceof Error && message.test(error.message), String(error));
    } finally {
      await program.close();
    }
  }
});

test('one that cannot listen says why', async () => {
  await assert.rejects(start(host('echo "cannot listen on UDP 10.0.1.2:8100" >&2; exit 2')), {
    code: 'server-failed',
    message: "the test's server did not start: cannot listen on UDP 10.0.1.2:8100",
  });
});
