/**
 * The programs that speak QUIC: Rust's and Go's own tests of them, where set-up has built them; and the HTTP/3 server
 * as it is started and ended. Nothing is brought from the network.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { within } from '../../core/system/deadline.ts';
import { selfSigned } from '../../core/system/self-signed.ts';
import { http3Program } from '../../harness/services/shared/http3-program.ts';
import { type TunnelStack, tunnelPrograms } from '../../harness/tunnels/quic/programs.ts';
import { noReadelf, requireHardened } from '../unit/support/hardened.ts';

const manifest = fileURLToPath(new URL('../../harness/quic/Cargo.toml', import.meta.url));
const built = fileURLToPath(new URL('../../.cache/quic/test', import.meta.url));
const module = fileURLToPath(new URL('../../harness/tunnels/quic/quic-go', import.meta.url));
const workspace = ['--offline', '--locked', '--manifest-path', manifest];
/** Go that brings neither modules nor another Go. */
const goHere = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' };

/** Without information for a debugger, which takes a good part of the time of a build that is made once. */
const cargoHere = { ...process.env, CARGO_PROFILE_DEV_DEBUG: '0', CARGO_INCREMENTAL: '0' };
const environments: Record<string, NodeJS.ProcessEnv> = { go: goHere, nice: cargoHere };

type Tried = { status: number | null; stdout: string; stderr: string };

function attempt(argv: readonly string[], { cwd, timeout = 20_000 }: { cwd?: string; timeout?: number } = {}): Tried {
  const { status, stdout, stderr } = spawnSync(argv[0]!, argv.slice(1), {
    encoding: 'utf8',
    timeout,
    env: environments[argv[0]!] ?? process.env,
    ...(cwd === undefined ? {} : { cwd }),
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Why the tests of a stack's program cannot run here; false where they can. `here`: whether its sources are. */
function missing(stack: TunnelStack, toolchain: string, here: () => Tried, bring: string): string | false {
  if (!existsSync(tunnelPrograms[stack]))
    return `the QUIC tunnel on ${stack} is not built: run "npm run setup -- quic"`;
  if (attempt([toolchain, toolchain === 'go' ? 'version' : '--version']).status !== 0)
    return `${toolchain} is not installed`;
  return here().status === 0 ? false : `what the QUIC tunnel on ${stack} is built from is not here: run "${bring}"`;
}

test("Rust's tests of the tunnel, of the HTTP/3 server and of what both share", {
  skip: missing(
    'noq',
    'cargo',
    () => attempt(['cargo', 'fetch', ...workspace]),
    'cargo fetch --locked --manifest-path harness/quic/Cargo.toml',
  ),
  timeout: 590_000,
}, () => {
  // they are built once, which takes minutes of both cores: other tests run meanwhile
  const { status, stdout, stderr } = attempt(
    ['nice', '-n', '19', 'cargo', 'test', '--workspace', '--target-dir', built, ...workspace],
    { timeout: 580_000 },
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const passed = [...stdout.matchAll(/(\d+) passed; 0 failed/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(passed >= 40, `${passed} tests passed`);
});

test("Go's tests of the tunnel", {
  skip: missing(
    'quic-go',
    'go',
    () => attempt(['go', 'list', '-deps', '-test', '.'], { cwd: module }),
    'cd harness/tunnels/quic/quic-go && go mod download',
  ),
  timeout: 290_000,
}, () => {
  const { status, stdout, stderr } = attempt(['go', 'test', '-count=1', '-timeout=120s', '.'], {
    cwd: module,
    timeout: 280_000,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /^ok /m);
});

for (const [name, program] of Object.entries({ ...tunnelPrograms, http3: http3Program }))
  test(
    `${name} is hardened: position-independent, read-only tables, no code on the stack`,
    {
      skip: existsSync(program) ? noReadelf : 'it is not built: run "npm run setup -- quic http3"',
    },
    () => requireHardened(program),
  );

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
    const next = async () => (await within(lines.next(), 30_000, 'a line')).value;
    assert.deepEqual(
      [await next(), await next(), await next()],
      ['listening', '{"connections":[]}', '{"connections":[]}'],
    );
    const second = start();
    let said = '';
    second.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    assert.equal((await within(once(second, 'close'), 30_000, 'the second to give up'))[0], 2);
    assert.match(said, /^cannot listen on UDP 127\.0\.0\.1:18443: .+\n$/);
    child.stdin.end();
    assert.equal((await within(once(child, 'exit'), 30_000, 'its end'))[0], 0);
  } finally {
    child.kill('SIGKILL');
  }
});
