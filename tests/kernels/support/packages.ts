/** What these tests need beyond the product: a kernel that runs as a process, and a busybox for it. */
import { existsSync } from 'node:fs';
import { run } from '../../../core/system/command.ts';
import { cannotRun } from '../../e2e/support/run-command.ts';

/** Packages of Debian and Ubuntu, and the program that shows that one is there. */
const packages: Record<string, string> = { 'user-mode-linux': 'linux.uml', 'busybox-static': 'busybox' };
/** Programs of busybox that the kernel's first process calls. */
const applets = ['insmod', 'nc'];
const installMs = 300_000;

async function has(program: string): Promise<boolean> {
  return (await run(['sh', '-c', 'command -v "$1"', 'sh', program], { allowFailure: true })).status === 0;
}

/** The first line of what apt said, where it failed. */
async function install(names: readonly string[]): Promise<string | undefined> {
  process.stderr.write(`installing for these tests: ${names.join(' ')}\n`);
  const aptGet = (...words: string[]) =>
    run(['apt-get', ...words], {
      allowFailure: true,
      timeoutMs: installMs,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  const attempt = () => aptGet('install', '-y', '--no-install-recommends', ...names);
  if ((await attempt()).status === 0) return undefined;
  await aptGet('update'); // the lists may be missing or old
  const { status, stderr } = await attempt();
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? '');
}

/** Why no other kernel can be started here, or false. Installs what is missing, where that can be had. */
export async function noOtherKernel(): Promise<string | false> {
  if (cannotRun !== undefined) return cannotRun;
  if (process.arch !== 'x64') return `user-mode-linux runs on x86-64, not on ${process.arch}`;
  if (!existsSync('/dev/net/tun')) return 'needs TAP devices (/dev/net/tun)';
  const missing: string[] = [];
  for (const [name, program] of Object.entries(packages)) if (!(await has(program))) missing.push(name);
  if (missing.length > 0) {
    if (!(await has('apt-get'))) return `needs ${missing.join(' and ')} (names of Debian's packages)`;
    const failed = await install(missing);
    if (failed !== undefined) return `needs ${missing.join(' and ')}, which cannot be installed: ${failed}`;
  }
  const list = (await run(['busybox', '--list'])).stdout.split('\n');
  const lacking = applets.filter(applet => !list.includes(applet));
  return lacking.length === 0 ? false : `needs a busybox with ${lacking.join(' and ')}`;
}
