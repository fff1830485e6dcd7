/** The tests of the HTTP/3 server itself, which are Rust's: its parts, and all of it over real sockets of this machine, with a client of quinn's. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../../harness/services/http3-server/Cargo.toml', import.meta.url));
const built = fileURLToPath(new URL('../../.cache/http3', import.meta.url));
const cargo = spawnSync('cargo', ['--version'], { encoding: 'utf8' });

test('cargo test', { skip: cargo.status === 0 ? false : 'Rust\'s cargo is not installed' }, () => {
  const { status, stdout, stderr } = spawnSync('cargo', ['test', '--release', '--locked', '--manifest-path', manifest, '--target-dir', built], { encoding: 'utf8', timeout: 280_000 });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const passed = [...stdout.matchAll(/(\d+) passed; 0 failed/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(passed >= 16, `${passed} tests passed`);
});
