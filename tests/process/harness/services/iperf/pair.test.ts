import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { Child } from '../../../../../core/system/command.ts';
import { sleep, until } from '../../../../../core/system/deadline.ts';
import type { Host } from '../../../../../core/system/host.ts';
import { Pair } from '../../../../../harness/services/iperf/pair.ts';
import { fakeHost } from '../../../../unit/harness/support/fake-host.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';

const folder = temporaryFolder();
const sent = join(folder, 'sent');

/**
 * Program in the place of iperf3. It prints iperf3's first line when it listens, and writes its arguments to a file
 * when it sends.
 */
writeFileSync(
  join(folder, 'iperf3'),
  `#!/bin/sh
case "$1" in
  -s) echo "Server listening"; exec sleep 30;;
  *) echo "$@" > ${sent}.part; mv ${sent}.part ${sent}; exec sleep 30;;
esac
`,
);
chmodSync(join(folder, 'iperf3'), 0o755);
const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };

const host: Host = {
  ...fakeHost('true'),
  start: (name, [file, ...args], options) =>
    new Child(name, spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'], env, ...options })),
};
const network = { hosts: { server: host, client: host }, addresses: { server: '10.0.1.2', client: '10.0.2.2' } };
const arm = () => Pair.arm({ network, port: 5201, flows: 2, congestionControl: 'cubic', maxMs: 1500 });

test('the sender waits until it may begin, and then begins at once', async () => {
  const pair = await arm();
  try {
    await Promise.race([pair.failed, sleep(200)]);
    assert.deepEqual([existsSync(sent), pair.startMs], [false, undefined]);
    pair.begin();
    await Promise.race([
      pair.failed,
      until(() => (existsSync(sent) ? true : undefined), 30_000, 'the sender to begin'),
    ]);
    assert.equal(readFileSync(sent, 'utf8'), '-c 10.0.2.2 -p 5201 -C cubic -P 2 -t 2 -i 0\n');
    assert.ok(pair.startMs! > 0);
  } finally {
    await pair.stop();
  }
  assert.equal(await Promise.race([pair.failed.catch(() => 'failed'), sleep(50).then(() => 'quiet')]), 'quiet');
});

test('one that never begins is stopped, too', async () => {
  const pair = await arm();
  await pair.stop();
  assert.equal(await Promise.race([pair.failed.catch(() => 'failed'), sleep(50).then(() => 'quiet')]), 'quiet');
});

test('a receiver that does not listen is told with its reason', async () => {
  const broken: Host = {
    ...host,
    start: (name, _, options) => host.start(name, ['sh', '-c', 'echo "no port" >&2; exit 1'], options),
  };
  await assert.rejects(
    Pair.arm({
      network: { ...network, hosts: { server: host, client: broken } },
      port: 5201,
      flows: 1,
      congestionControl: 'cubic',
      maxMs: 1000,
    }),
    {
      code: 'service-failed',
      message: 'iperf3 -s did not start: no port',
    },
  );
});
