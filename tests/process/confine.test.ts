/**
 * A program in the browser's sandbox, as a page that has taken its browser over: what does it find? Pages that take
 * memory or windows without end: tests/long.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { until, within } from '../../core/system/deadline.ts';
import { isAlive, startTicks } from '../../core/system/process-id.ts';
import { groupPlace } from '../../harness/trial/browser/bounds.ts';
import { type BrowserCommandOptions, browserCommand } from '../../harness/trial/browser/browser-command.ts';
import { confinement } from '../../harness/trial/browser/confinement.ts';
import { isKilled } from '../e2e/support/hung-browser.ts';
import { connecting, tellInSandbox } from '../e2e/support/in-browsers-sandbox.ts';
import { scratch as browsers, endsWith, limits, openSmall, sandboxed, skip } from '../e2e/support/small-browser.ts';
import { testName } from '../runner/test-names.ts';
import { useOf } from '../unit/harness/support/use-of.ts';

const place = await groupPlace();

/** Folders that Playwright makes for profiles. */
const profilesInTmp = () => readdirSync(tmpdir()).filter(name => /^playwright_.*_profile-/.test(name));

describe("in the browser's sandbox", { skip }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-sandbox-'));
  const namespace = testName();
  const secret = join(scratch, 'secret');

  before(async () => {
    writeFileSync(secret, 'the secret', { mode: 0o644 });
    process.env['COEXIST_TEST_SECRET'] = 'the secret';
    await run(['ip', 'netns', 'add', namespace]);
  });
  after(async () => {
    delete process.env['COEXIST_TEST_SECRET'];
    await run(['ip', 'netns', 'delete', namespace]);
    rmSync(scratch, { recursive: true, force: true });
  });

  /** What such a program says, a shell of the system's. */
  const tell = (script: string, options: Partial<BrowserCommandOptions> = {}) =>
    tellInSandbox(namespace, scratch, script, options);

  test("there is nobody's account, and no capability nor a way to one", async () => {
    assert.match(await tell('id -u; id -g; id -G'), /^65534\n65534\n65534$/);
    const status = await tell('grep -E "^(Cap|NoNewPrivs|Groups)" /proc/self/status');
    for (const kind of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      assert.match(status, new RegExp(`Cap${kind}:\\s+0000000000000000`));
    assert.match(status, /NoNewPrivs:\s+1/);
  });

  test('its open files, processes and memory have limits, and it leaves no core', async () => {
    const limits = await tell('cat /proc/self/limits');
    assert.match(limits, /Max open files +8192 +8192 /);
    assert.match(limits, /Max processes +\d+ +\d+ /);
    assert.match(limits, /Max data size +\d+ +\d+ /);
    assert.match(limits, /Max core file size +0 +0 /);
  });

  test('there is no file of the machine but its programs, and nothing to write to but /tmp, which nobody else sees', async () => {
    assert.deepEqual(
      (await tell('ls /')).split('\n').filter(name => !/^(bin|sbin|lib\w*|usr|nix)$/.test(name)),
      ['dev', 'etc', 'proc', 'sys', 'tmp', 'var'],
    );
    for (const path of [
      secret,
      '/etc/shadow',
      '/root',
      '/home',
      '/run',
      process.cwd(),
      '/proc/1/root',
      '/proc/1/environ',
      '/proc/1/cwd',
    ]) {
      assert.match(await tell(`ls ${path}/ || cat ${path}`), /No such file|Permission denied|cannot access/, path);
      assert.doesNotMatch(await tell(`cat ${path}`), /the secret/, path);
    }
    assert.equal(await tell('find / -xdev -type f -writable -not -path "/dev/*" 2>/dev/null'), '');
    assert.match(await tell('touch /x /usr/x /etc/x'), /(Read-only file system[^]*){3}/);
    assert.match(await tell('mount -o remount,rw / ; mount -t tmpfs x /tmp'), /must be superuser|permission denied/i);
    const mine = `mine-${process.pid}`;
    assert.equal(await tell(`ls /tmp; echo x > /tmp/${mine}; ls /tmp`), mine);
    assert.ok(!existsSync(`/tmp/${mine}`));
    assert.match(await tell('dd if=/dev/zero of=/tmp/full bs=1M count=1100'), /No space left on device/);
  });

  test('what it is given it may read, and not change', async () => {
    assert.equal(await tell(`cat ${secret}`, { files: [secret] }), 'the secret');
    assert.match(await tell(`echo x > ${secret}`, { files: [secret] }), /Read-only|Permission denied/);
    assert.equal(await tell('cat /etc/resolv.conf', { nameServer: '198.18.0.1' }), 'nameserver 198.18.0.1');
  });

  test('with a page of the Internet it has a display of its own, and begins when that is there', async () => {
    const { PATH } = process.env;
    const screens = mkdtempSync(join(scratch, 'screens-'));
    const stand = 'echo began > /tmp/.X11-unix/X5; sleep 0.5; echo 5 >&5; exec sleep 60';
    writeFileSync(join(screens, 'Xvfb'), `#!/bin/sh\n${stand}\n`, { mode: 0o755 });
    process.env['PATH'] = `${screens}:${PATH}`;
    try {
      const shown = { headed: true, showsInternet: true };
      assert.equal(await tell('echo $DISPLAY; ls /tmp/.X11-unix; cat /tmp/.X11-unix/X5', shown), ':5\nX5\nbegan');
      writeFileSync(join(screens, 'Xvfb'), '#!/bin/sh\nexit 1\n');
      assert.equal(await tell('echo never', shown), 'Xvfb, its display, did not start');
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  test('there is no process but its own, and no environment but what it needs', async () => {
    const others = spawn('sleep', ['60']);
    try {
      assert.equal(
        await tell('cat /proc/[0-9]*/comm | sort -u').then(text =>
          text
            .split('\n')
            .filter(name => !['sh', 'cat', 'sort', 'sandbox'].includes(name))
            .join(),
        ),
        '',
      );
      assert.match(await tell(`kill -9 ${others.pid}; kill -9 1`), /(No such process|not permitted)[^]*not permitted/);
      assert.equal(others.exitCode, null);
    } finally {
      others.kill('SIGKILL');
    }
    assert.deepEqual(
      (await tell('env'))
        .split('\n')
        .map(line => line.split('=')[0])
        .sort(),
      ['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR'],
    );
  });

  test('there is no address but those of its host', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    try {
      await new Promise(resolve => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      const places = [
        ['127.0.0.1', port],
        ['192.0.2.1', 80],
      ] as const;
      assert.match(await tell(connecting(places)), /^\w*Error\n\w*Error$/);
      assert.equal(await tell('ls /sys/class 2>&1 | grep -c net'), '0');
    } finally {
      server.close();
    }
  });

  /** What counts as the memory of a shell's script, once it says "written". */
  async function memoryOf(script: string): Promise<number> {
    const directory = mkdtempSync(join(scratch, 'one-'));
    const { command, environment } = await browserCommand({ executable: '/bin/sh', headed: false }, directory);
    const child = spawn(command[0]!, [...command.slice(1), '-c', script], {
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await within(new Promise(resolve => child.stdout.once('data', resolve)), 20_000, 'it to have written');
      return (await useOf(child.pid!)).memoryBytes / 2 ** 20;
    } finally {
      child.kill('SIGKILL');
    }
  }

  test('what it writes counts as its memory, where that is in memory', async () => {
    const write = ['/tmp', '/dev/shm'].map(folder => `dd if=/dev/zero of=${folder}/x bs=1M count=150 2>/dev/null`);
    const mebibytes = await memoryOf(`${write.join('; ')}; echo written; read -r _`);
    assert.ok(mebibytes > 300 && mebibytes < 330, `${mebibytes} MiB`);
  });

  test('what it writes to a file without a name counts as its memory, also where nothing maps it', async () => {
    const take = 'import os; f = os.memfd_create("x"); [os.write(f, b"x" * 2**20) for _ in range(300)]';
    const mebibytes = await memoryOf(`python3 -c '${take}; print("written", flush=True); input()'`);
    assert.ok(mebibytes > 300 && mebibytes < 330, `${mebibytes} MiB`);
  });

  test('it ends with whoever started it, and all that it has started with it', async () => {
    const directory = mkdtempSync(join(scratch, 'one-'));
    const { command, environment } = await browserCommand({ executable: '/bin/sh', headed: false }, directory);
    const mark = `987${process.pid}`;
    const child = spawn(
      command[0]!,
      [...command.slice(1), '-c', `setsid sleep ${mark} & setsid sleep ${mark} & echo begun; wait`],
      { env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await new Promise(resolve => child.stdout.once('data', resolve));
      const sleepers = await until(
        async () => {
          const { stdout } = await run(['pgrep', '-f', `^sleep ${mark}$`], { allowFailure: true });
          const pids = stdout
            .trim()
            .split('\n')
            .filter(line => line !== '')
            .map(Number);
          return pids.length === 2 ? pids.map(pid => ({ pid, startTicks: startTicks(pid)! })) : undefined;
        },
        30_000,
        'both sleepers to begin',
      );
      child.kill('SIGKILL');
      await until(() => (sleepers.some(isAlive) ? undefined : true), 30_000, 'the sleepers to end');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('a browser in its sandbox', { skip }, () => {
  test("Chromium's own sandbox is on where this machine lets it be; a download is refused", async () => {
    const { hasChromiumSandbox } = await confinement();
    const before = profilesInTmp();
    const { page, close } = await openSmall();
    try {
      assert.deepEqual(profilesInTmp(), before, 'nothing that a killed harness would leave');
      await page.goto('chrome://sandbox');
      const rows = await page.evaluate<string[]>(sandboxed);
      assert.ok(
        rows.some(row => row === `Layer 1 Sandbox ${hasChromiumSandbox ? 'Namespace' : 'None'}`),
        rows.join('; '),
      );
      await page.goto('data:text/html,<a id="a" download="x" href="data:application/octet-stream,xxxx">x</a>');
      const download = page.waitForEvent('download', { timeout: 30_000 });
      await page.locator('#a').click();
      assert.match(String(await (await download).failure()), /canceled|acceptDownloads/);
      await assert.rejects(page.goto('file:///etc/shadow'));
    } finally {
      await close();
    }
    assert.deepEqual(
      readdirSync(browsers)
        .flatMap(name => readdirSync(join(browsers, name)))
        .filter(name => !['root', 'sandbox', 'browser', 'id', 'control-group'].includes(name)),
      [],
    );
  });

  test('one that does not close is killed, with all its processes', () => isKilled(() => openSmall()));

  const noGroups = 'obstacle' in place ? place.obstacle : false;
  test('it has a control group of its own where there are some, and that is gone with it', {
    skip: noGroups,
  }, async () => {
    const { parent } = place as { parent: string };
    const groups = () => readdirSync(parent).filter(name => name.startsWith('coexist-'));
    const before = groups();
    const { confinement: found, close } = await openSmall();
    try {
      assert.equal(found.limits, 'control group');
      const [own, ...others] = groups().filter(name => !before.includes(name));
      assert.deepEqual(others, []);
      const processes = readFileSync(join(parent, own!, 'cgroup.procs'), 'utf8')
        .trim()
        .split('\n');
      assert.ok(processes.length > 5, `${processes.length} processes`);
    } finally {
      await close();
    }
    assert.deepEqual(groups(), before);
  });

  test('a page that downloads without end ends its browser, with that reason', async () => {
    const { page, died, close } = await openSmall({ limits });
    await page.goto(
      'data:text/html,<a id="a" download="x" href="data:application/octet-stream,xxxx">x</a>' +
        '<script>setInterval(() => a.click(), 300)</script>',
    );
    await endsWith(died, close, {
      code: 'browser-died',
      message: 'the page began 4 downloads, and may begin 3',
    });
  });
});
