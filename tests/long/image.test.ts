/**
 * The Dockerfile in a bare Debian, without Docker: a root made by debootstrap with the Node of the base image gets the
 * files of the checkout, then every RUN of the file in its order, and its entry point runs a trial. How the machine
 * reaches the Internet (name servers, apt's settings, certificates, npm's settings) is taken along.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Output, run } from '../../core/system/command.ts';
import { projectRoot } from '../../core/system/paths.ts';

const text = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const linesOf = (word: string) =>
  [...text.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest]) => rest!.trim());
const wordsOf = (word: string) => JSON.parse(linesOf(word)[0]!) as string[];
const [workFolder] = linesOf('WORKDIR');

async function missing(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'needs root';
  for (const program of ['debootstrap', 'unshare', 'chroot', 'npm', 'git', 'tar'])
    if ((await run(['which', program], { allowFailure: true })).status !== 0) return `needs ${program}`;
  return undefined;
}

/** The shell that runs in the root has mounts of its own, which end with it. */
const mounts =
  'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys"';

describe('the Dockerfile, in a bare root', { skip: (await missing()) ?? false }, () => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'coexist-image-'));
  chmodSync(root, 0o755); // apt downloads as another user
  after(() => rmSync(root, { recursive: true, force: true }));

  /** A command line of a shell in the root, with the way to the Internet of this process. */
  const inRoot = (folder: string, command: string, { allowFailure = false } = {}): Promise<Output> =>
    run(
      [
        ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'],
        `${mounts} && exec chroot "$0" sh -c "$1"`,
        root,
        `cd ${folder} && ${command}`,
      ],
      {
        env: { ...process.env, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
        allowFailure,
        timeoutMs: 280_000,
      },
    );

  /** FROM node: its Node, and the npm of this machine. */
  function bringNode(): void {
    const local = join(root, 'usr/local');
    cpSync(join(projectRoot, `node_modules/node-linux-${process.arch}/bin/node`), join(local, 'bin/node'));
    const npm = dirname(dirname(realpathSync(whichNpm)));
    mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
    cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  }

  function bringWayOut(): void {
    for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/apt/apt.conf.d', '/etc/ssl/certs'])
      if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true, force: true });
    const settings = join(homedir(), '.npmrc');
    if (existsSync(settings)) cpSync(settings, join(root, 'root/.npmrc'));
  }

  let whichNpm = '';
  test('a bare Debian 12, Node and the files of the checkout', async () => {
    whichNpm = (await run(['which', 'npm'])).stdout.trim();
    await run(['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root], {
      env: process.env,
      timeoutMs: 280_000,
    });
    bringNode();
    bringWayOut();
    mkdirSync(join(root, workFolder!), { recursive: true });
    const copy = `git ls-files -z | tar --null -T - -cf - | tar -C "$0" -xf -`;
    await run(['sh', '-c', copy, join(root, workFolder!)], { cwd: projectRoot, timeoutMs: 60_000 });
    assert.match((await inRoot(workFolder!, 'node --version && npm --version')).stdout, /^v24\.\d+\.\d+\n\d+/);
  });

  for (const command of linesOf('RUN')) {
    const isBefore = text.indexOf(`WORKDIR ${workFolder}`) > text.indexOf(`RUN ${command}`);
    test(`RUN ${command.slice(0, 60)}`, async t => {
      const { stdout, stderr } = await inRoot(isBefore ? '/' : workFolder!, command);
      t.diagnostic(`${stdout}${stderr}`.trim().split('\n').at(-1) ?? '');
    });
  }

  test('its entry point runs a trial', async t => {
    const words = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')];
    const short = ['--set', 'run.window=5s', '--set', 'run.retries=5'];
    const { status, stdout, stderr } = await inRoot(workFolder!, [...words, ...short].join(' '), {
      allowFailure: true,
    });
    t.diagnostic(stdout.trim().split('\n').slice(-4).join('; '));
    // a disturbed machine voids trials, with status 3; the report shows the least disturbed one all the same
    assert.ok(status === 0 || status === 3, `status ${status}\n${stdout}${stderr}`);
    assert.match(stdout, /^Alone \(no flood\): .* fps/m);
  });
});
