/**
 * Makes the sandbox of a browser on this machine (core/system/sandbox.ts), because a page from the Internet may take
 * over the browser. In the sandbox the browser runs as an unprivileged user, without capabilities and without a way to
 * get any (capabilities(7), no_new_privs). The browser shares the network namespace of its host.
 */
import { inNamespaces, isSystem, type Sandbox, sandboxScript } from '../../../core/system/sandbox.ts';
import { tasksOfNobody } from '../../../core/system/unprivileged.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { programPlace } from './program-place.ts';
import { useLimits } from './use.ts';
import { onVirtualDisplay } from './virtual-display.ts';

type BrowserSandbox = Omit<Sandbox, 'sizeMiB' | 'owner' | 'isInUserNamespace'> & {
  executable: string;
  /**
   * User as which the browser runs. Null: the user of this command without capabilities, in a user namespace that has
   * only this user.
   */
  userId: number | null;
  environment: Record<string, string>;
  /** Ids of the groups that own the devices. */
  groups?: readonly number[];
  /** Path of Xvfb, for a virtual display. Null: the browser has no display, or a display among `devices`. */
  virtualDisplay?: string | null;
};

/** Size of /tmp and size of shared memory, MiB each. They hold the profile and everything that a page writes. */
const sizeMiB = 1024;
/**
 * Data limit of one process, bytes. It is higher than the limit of the whole browser, because memory that is only
 * reserved counts as well. At this limit a page gets an error and goes on, while a browser that exceeds its limit is
 * ended (bounds.ts).
 */
const dataBytes = 1.5 * useLimits.memoryBytes;
/** Limits per process for open files and data, and per user for processes and threads. */
const limits = ['--core=0', '--nofile=8192', `--nproc=${tasksOfNobody}`, `--data=${dataBytes}`];

/**
 * Returns a shell program that builds the sandbox and starts the browser in it, with the arguments of the shell
 * program. It has to run as process 1 of new namespaces (`ofBrowser`).
 */
export function confineScript(sandbox: BrowserSandbox): string {
  const { executable, userId, environment, files, groups = [], virtualDisplay = null, ...others } = sandbox;
  const rights = [
    ...(userId === null
      ? []
      : [
          `--reuid=${userId}`,
          `--regid=${userId}`,
          groups.length === 0 ? '--clear-groups' : `--groups=${groups.join(',')}`,
        ]),
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--no-new-privs',
  ];
  const words = Object.entries({
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    ...environment,
  }).map(([name, value]) => quoteWord(`${name}=${value}`));
  const seen = programPlace(executable, isSystem);
  const display = virtualDisplay === null ? [] : ['/bin/sh', '-c', onVirtualDisplay(virtualDisplay)];
  const program = [...display, seen.program];
  return sandboxScript(
    {
      ...others,
      sizeMiB,
      files: [...seen.files, ...files],
      owner: userId,
      isInUserNamespace: userId === null,
    },
    [
      ...(virtualDisplay === null ? [] : ['mkdir -m 1777 /tmp/.X11-unix']), // Xvfb creates this folder only as root
      'set +e', // the browser's exit status is passed on
      `prlimit ${limits.join(' ')} -- setpriv ${rights.join(' ')} -- env -i ${words.join(' ')} ` +
        `${program.map(quoteWord).join(' ')} "$@"`,
      'exit $?',
    ],
  );
}

/** Returns the command line that runs a program of `confineScript`. `script`: path of the program. */
export const ofBrowser = (script: string): string[] => inNamespaces(['/bin/sh', script], { hasNetwork: true });
