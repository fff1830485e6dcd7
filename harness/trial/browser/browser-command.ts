/** Makes the command line of a browser, which runs in a sandbox (confine.ts) if this machine allows that. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareTextEnvironment } from '../../../core/system/child-environment.ts';
import { confineScript, ofBrowser } from './confine.ts';
import { browserUser, type Confinement, confinementOf, hasOwnDisplay, waylandDisplay } from './confinement.ts';
import { withResolver } from './own-resolver.ts';
import { findVirtualDisplay } from './virtual-display.ts';

export type BrowserCommandOptions = {
  executable: string;
  /** True: the browser has a window, on the display of this command. */
  headed: boolean;
  /**
   * True: the browser opens pages of the Internet. A confined browser then uses a virtual display that no person sees.
   */
  showsInternet?: boolean;
  /** Files and folders that the browser reads in addition to its program, such as a page or a camera file. */
  files?: readonly string[];
  /** Variables that are added to the browser's environment. */
  environment?: Record<string, string>;
  /** Address of the browser's name server. Undefined: the browser does not reach the Internet and resolves no names. */
  nameServer?: string;
  /** True: the browser has no sandbox. For browsers that are measured and open only our own pages. */
  isTrusted?: boolean;
};

type BrowserCommand = {
  /** Program and arguments that the host starts. The switches of the browser follow them. */
  command: string[];
  /** Environment of the programs that start the browser, and of the browser itself if it has no sandbox. */
  environment: Record<string, string>;
  confinement: Confinement;
};

const kept = (names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = process.env[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

/** Finds the graphics devices (Direct Rendering and NVIDIA), and the files from which drivers learn about them. */
function graphics(): { devices: string[]; files: string[]; groups: number[] } {
  const cards = existsSync('/dev/dri') ? readdirSync('/dev/dri').map(name => `/dev/dri/${name}`) : [];
  const nvidia = readdirSync('/dev')
    .filter(name => name.startsWith('nvidia'))
    .map(name => `/dev/${name}`);
  const groups = [...new Set(cards.map(path => statSync(path).gid))].filter(id => id !== 0);
  if (cards.length + nvidia.length === 0) return { devices: [], files: [], groups };
  return {
    devices: [...(cards.length === 0 ? [] : ['/dev/dri']), ...nvidia],
    files: ['/sys/dev', '/sys/devices', '/etc/vulkan', '/etc/glvnd'],
    groups,
  };
}

/**
 * Returns the X display of this command: its sockets and a copy of its key. The key is copied since it belongs to
 * another user than the browser's.
 */
function display(): { devices: string[]; copies: Record<string, string>; environment: Record<string, string> } {
  const key = process.env['XAUTHORITY'] ?? join(process.env['HOME'] ?? '/root', '.Xauthority');
  const [copies, named] = existsSync(key) ? [{ '/etc/xauthority': key }, { XAUTHORITY: '/etc/xauthority' }] : [{}, {}];
  return { devices: ['/tmp/.X11-unix'], copies, environment: { ...kept(['DISPLAY']), ...named } };
}

/** `directory`: folder for the browser's files. No other program writes into it. */
export async function browserCommand(options: BrowserCommandOptions, directory: string): Promise<BrowserCommand> {
  const { executable, headed, files = [], environment = {}, nameServer, isTrusted = false } = options;
  const way = bareTextEnvironment();
  const found: Confinement = isTrusted
    ? { isConfined: false, hasChromiumSandbox: false, obstacle: 'it is measured' }
    : await confinementOf(options);
  if (!found.isConfined) {
    // a browser without sandbox needs the user's home to find the display's key
    const shown = headed
      ? kept(['DISPLAY', waylandDisplay, 'XDG_RUNTIME_DIR', 'XAUTHORITY', 'HOME'])
      : { HOME: directory };
    const program = nameServer === undefined ? executable : withResolver(executable, nameServer, directory);
    return {
      command: [program],
      environment: { ...way, TMPDIR: directory, ...shown, ...environment },
      confinement: found,
    };
  }
  const [root, script] = [join(directory, 'root'), join(directory, 'sandbox')];
  const cards = graphics();
  const virtualDisplay = (await hasOwnDisplay(options)) ? findVirtualDisplay() : null;
  const screen = headed && virtualDisplay === null ? display() : { devices: [], copies: {}, environment: {} };
  mkdirSync(root);
  writeFileSync(
    script,
    confineScript({
      executable,
      userId: browserUser(),
      root,
      environment: { ...screen.environment, ...environment },
      files: [...cards.files, ...files, ...(virtualDisplay === null ? [] : [virtualDisplay])],
      devices: [...cards.devices, ...screen.devices],
      groups: cards.groups,
      copies: screen.copies,
      nameServer: nameServer ?? null,
      virtualDisplay,
    }),
  );
  chmodSync(script, 0o700);
  return { command: ofBrowser(script), environment: way, confinement: found };
}
