/** How far this machine lets a browser be confined (confine.ts), found by trying, once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../core/command.ts';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { isInUserNamespace } from '../../core/user-namespace.ts';
import { confineScript, inNamespaces, nobody } from './confine.ts';

export type Confinement = {
  /** Whether browsers get a place of their own. */
  isConfined: boolean;
  /** Whether Chromium's own sandbox works there. */
  hasSandbox: boolean;
  /** Why something of this is not so; null where all is. */
  obstacle: string | null;
};

const tryMs = 10_000;

/** Whose rights browsers have: nobody's, where root may become nobody. */
export const browserUser = (): number | null => (isInUserNamespace() ? null : nobody);

/**
 * A program that says that it runs, and whether it may make the namespaces that Chromium's sandbox is made of (its
 * layer 1: user, PID and network).
 */
const question = 'echo confined; unshare --user --pid --net --map-root-user --fork true && echo sandbox';

async function tryIt(environment: NodeJS.ProcessEnv): Promise<Confinement> {
  if (environment['COEXIST_CONFINE'] === '0')
    return {
      isConfined: false,
      hasSandbox: false,
      obstacle: 'COEXIST_CONFINE=0 asks for browsers with the rights of this command',
    };
  const folder = mkdtempSync(join(tmpdir(), 'coexist-confine-'));
  try {
    const [root, script] = [join(folder, 'root'), join(folder, 'place')];
    mkdirSync(root);
    writeFileSync(
      script,
      confineScript({
        executable: '/bin/sh',
        userId: browserUser(),
        root,
        environment: {},
        files: [],
        devices: [],
        groups: [],
        copies: {},
        nameServer: null,
      }),
    );
    const { stdout, stderr } = await run([...inNamespaces(script), '-c', question], {
      allowFailure: true,
      timeoutMs: tryMs,
    });
    const said = stderr.trim().split('\n').at(-1) ?? '';
    if (!stdout.includes('confined')) return { isConfined: false, hasSandbox: false, obstacle: said };
    // Chromium's sandbox does not start for user 0, whatever that one may do
    if (browserUser() === null)
      return {
        isConfined: true,
        hasSandbox: false,
        obstacle: 'in a user namespace there is no other user, and Chromium has no sandbox for root',
      };
    return stdout.includes('sandbox')
      ? { isConfined: true, hasSandbox: true, obstacle: null }
      : { isConfined: true, hasSandbox: false, obstacle: said };
  } catch (error) {
    return { isConfined: false, hasSandbox: false, obstacle: messageOf(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let found: Promise<Confinement> | undefined;

/** Of this machine. */
export function confinement(): Promise<Confinement> {
  return (found ??= tryIt(process.env));
}

/**
 * Starts a browser. Where it does not start with Chromium's own sandbox but without it, that is left out from then on.
 * Throws what the first attempt throws.
 */
export async function withSandboxThatStarts<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const before = await confinement();
    if (!before.hasSandbox || !(error instanceof CoexistError)) throw error;
    found = Promise.resolve({ ...before, hasSandbox: false, obstacle: error.message });
    return start().catch(() => {
      found = Promise.resolve(before);
      throw error; // it was something else
    });
  }
}

/** In words, for people: "nobody's rights, a root of its own, Chromium's sandbox". */
export function describeConfinement({ isConfined, hasSandbox, obstacle }: Confinement): string {
  const reason = obstacle === null ? '' : ` (${obstacle})`;
  if (!isConfined) return `browsers have the rights of this command${reason}`;
  return `browsers have ${isInUserNamespace() ? 'no capabilities' : "nobody's rights"} and a root of their own, ${hasSandbox ? "and Chromium's sandbox" : `without Chromium's sandbox${reason}`}`;
}
