/**
 * The programs that speak QUIC: Rust's and Go's own tests of them; and the HTTP/3 server as it is started and ended.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { within } from '../../core/deadline.ts';
import { http3Program } from '../../harness/services/shared/http3-program.ts';
import { selfSigned } from '../../core/self-signed.ts';

const manifest = fileURLToPath(new URL('../../harness/quic/Cargo.toml', import.meta.url));
const built = fileURLToPath(new URL('../../.cache/quic/test', import.meta.url));
const cargo = spawnSync('cargo', ['--version'], { encoding: 'utf8' });

test('cargo test', { skip: cargo.status === 0 ? false : "Rust's cargo is not installed" }, () => {
  const { status, stdout, stderr } = spawnSync(
    'cargo',
    ['test', '--locked', '--workspace', '--manifest-path', manifest, '--target-dir', built],
    { encoding: 'utf8', timeout: 580_000 },
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const passed = [...stdout.matchAll(/(\d+) passed; 0 failed/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(passed >= 40, `${passed} tests passed`);
});

const go = spawnSync('go', ['version'], { encoding: 'utf8' });

test('go test', { skip: go.status === 0 ? false : 'Go is not installed' }, () => {
  const { status, stdout, stderr } = spawnSync('go', ['test', '-count=1', '.'], {
    cwd: fileURLToPath(new URL('../../harness/tunnels/quic/quic-go', import.meta.url)),
    encoding: 'utf8',
    timeout: 280_000,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /^ok /m);
});

test('the program tells that it listens, then of its connections, and ends with its input', {
  skip: existsSync(http3Program) ? false : 'it is not built: run "npm run setup -- http3"',
  timeout: 20_000,
}, async () => {
  const start = () => {
    const child = spawn(
      http3Program,
      '--listen 127.0.0.1 --first-port 18443 --ports 1 --to 127.0.0.1 --congestion bbr3'.split(' '),
    );
    const { key, cert } = selfSigned('127.0.0.1');
    child.stdin.write(key + cert);
    return child;
  };
  const child = start();
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => (await within(lines.next(), 5000, 'a line')).value;
    assert.deepEqual(
      [await next(), await next(), await next()],
      ['listening', '{"connections":[]}', '{"connections":[]}'],
    );
    const second = start();
    let said = '';
    second.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    assert.equal((await within(once(second, 'close'), 5000, 'the second to give up'))[0], 2);
    assert.match(said, /^cannot listen on UDP 127\.0\.0\.1:18443: .+\n$/);
    child.stdin.end();
    assert.equal((await within(once(child, 'exit'), 5000, 'its end'))[0], 0);
  } finally {
    child.kill('SIGKILL');
  }
});
