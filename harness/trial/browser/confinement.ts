/** Finds out by one try how far this machine can confine a browser (confine.ts). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { run } from '../../../core/system/command.ts';
import { isOverdue } from '../../../core/system/deadline.ts';
import { withScratch } from '../../../core/system/scratch.ts';
import { nobody } from '../../../core/system/unprivileged.ts';
import { isInUserNamespace } from '../../../core/system/user-namespace.ts';
import { confineScript, ofBrowser } from './confine.ts';

export type Confinement = {
  /** True if browsers run in Coexist's sandbox (core/system/sandbox.ts). */
  isConfined: boolean;
  /** True if Chromium's own sandbox works inside Coexist's sandbox. */
  hasChromiumSandbox: boolean;
  /** Reason why `isConfined` or `hasChromiumSandbox` is false; null if both are true. */
  obstacle: string | null;
};

/** Environment variable with the socket of a Wayland session. It is empty or unset without a session. */
export const waylandDisplay = 'WAYLAND_DISPLAY';

/**
 * Switch that turns Chromium's own sandbox off. Where that sandbox does not work, Chromium starts only with this
 * switch.
 */
export const noSandbox = '--no-sandbox';

const tryMs = 10_000;

/** Returns the id of the unprivileged user as which browsers run; null if root cannot switch to that user. */
export const browserUser = (): number | null => (isInUserNamespace() ? null : nobody);

/**
 * Shell commands for the try. They print that they run in the sandbox, and that they can create the namespaces of
 * Chromium's sandbox (its layer 1: user, PID and network).
 */
const question = 'echo confined; unshare --user --pid --net --map-root-user --fork true && echo sandbox';

async function tryIt(environment: NodeJS.ProcessEnv): Promise<Confinement> {
  if (environment['COEXIST_CONFINE'] === '0')
    return {
      isConfined: false,
      hasChromiumSandbox: false,
      obstacle: 'COEXIST_CONFINE=0 asks for browsers with the rights of this command',
    };
  try {
    return await withScratch(tryIn);
  } catch (error) {
    return { isConfined: false, hasChromiumSandbox: false, obstacle: messageOf(error) };
  }
}

async function tryIn(folder: string): Promise<Confinement> {
  const [root, script] = [join(folder, 'root'), join(folder, 'sandbox')];
  mkdirSync(root);
  writeFileSync(
    script,
    confineScript({
      executable: '/bin/sh',
      userId: browserUser(),
      root,
      environment: {},
      files: [],
    }),
  );
  const { stdout, stderr } = await run([...ofBrowser(script), '-c', question], {
    allowFailure: true,
    timeoutMs: tryMs,
  });
  const said = stderr.trim().split('\n').at(-1) ?? '';
  if (!stdout.includes('confined')) return { isConfined: false, hasChromiumSandbox: false, obstacle: said };
  // Chromium's sandbox does not start for user 0, whatever its capabilities
  if (browserUser() === null)
    return {
      isConfined: true,
      hasChromiumSandbox: false,
      obstacle: 'in a user namespace there is no other user, and Chromium has no sandbox for root',
    };
  return stdout.includes('sandbox')
    ? { isConfined: true, hasChromiumSandbox: true, obstacle: null }
    : { isConfined: true, hasChromiumSandbox: false, obstacle: said };
}

/** Confinement that a machine allows. It is corrected when browsers fail to start. */
export class MachineConfinement {
  #found: Promise<Confinement> | undefined;
  readonly #find: () => Promise<Confinement>;

  /** `find`: tries how far the machine can confine a browser. It is called once. */
  constructor(find: () => Promise<Confinement>) {
    this.#find = find;
  }

  known(): Promise<Confinement> {
    return (this.#found ??= this.#find());
  }

  /**
   * Starts a browser. If the start fails twice with Chromium's own sandbox and succeeds without, later browsers start
   * without that sandbox. A slow start does not count as a failure of the sandbox. Throws the error of the first
   * attempt.
   */
  async start<T>(start: () => Promise<T>): Promise<T> {
    try {
      return await start();
    } catch (error) {
      const before = await this.known();
      if (!before.hasChromiumSandbox || !(error instanceof CoexistError) || isOverdue(error)) throw error;
      const again = await start().then(
        browser => ({ browser }),
        (reason: unknown) => ({ reason }),
      );
      if ('browser' in again) return again.browser;
      if (isOverdue(again.reason)) throw error;
      this.#found = Promise.resolve({ ...before, hasChromiumSandbox: false, obstacle: error.message });
      return start().catch(() => {
        this.#found = Promise.resolve(before);
        throw error; // the sandbox was not the reason
      });
    }
  }
}

const here = new MachineConfinement(() => tryIt(process.env));

/** Returns the confinement that this machine allows. */
export const confinement = (): Promise<Confinement> => here.known();

/** Options that decide on which display a browser appears. */
type Shown = {
  headed: boolean;
  /**
   * True: the browser shows pages of the Internet. A confined browser then does not use the display of this command.
   */
  showsInternet?: boolean;
};

/** True if a browser on this machine gets a virtual display (virtual-display.ts). */
export const hasOwnDisplay = async ({ headed, showsInternet = false }: Shown): Promise<boolean> =>
  headed && showsInternet && (await confinement()).isConfined;

export async function confinementOf({ headed, showsInternet = false }: Shown): Promise<Confinement> {
  // only the user of a Wayland session can use its socket
  return headed && !showsInternet && (process.env[waylandDisplay] ?? '') !== ''
    ? { isConfined: false, hasChromiumSandbox: false, obstacle: 'a Wayland display is for its own user only' }
    : confinement();
}

export const withSandboxThatStarts = <T>(start: () => Promise<T>): Promise<T> => here.start(start);

/**
 * Returns text such as 'browsers run as the user "nobody", in a root directory of their own, with Chromium's sandbox'.
 */
export function describeConfinement({ isConfined, hasChromiumSandbox, obstacle }: Confinement): string {
  const reason = obstacle === null ? '' : ` (${obstacle})`;
  if (!isConfined) return `browsers have the rights of this command${reason}`;
  return (
    `browsers run ${isInUserNamespace() ? 'without capabilities' : 'as the user "nobody"'}, in a root directory of their own, ` +
    `${hasChromiumSandbox ? "with Chromium's sandbox" : `without Chromium's sandbox${reason}`}`
  );
}
