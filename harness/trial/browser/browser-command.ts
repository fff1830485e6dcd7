/** Command line of a browser, in a sandbox (confine.ts) if this machine allows it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareTextEnvironment } from '../../../core/system/child-environment.ts';
import { confineScript, ofBrowser } from './confine.ts';
import { browserUser, type Confinement, confinementOf, hasOwnDisplay, waylandDisplay } from './confinement.ts';
import { withResolver } from './own-resolver.ts';
import { findVirtualDisplay } from './virtual-display.ts';

export type BrowserCommandOptions = {
  executable: string;
  /** True: it has a window, on this command's display. */
  headed: boolean;
  /** True: it opens pages of the Internet. If it is confined, its window is then on an invisible virtual display. */
  showsInternet?: boolean;
  /** Files and folders that it reads in addition to its program: a page, a camera. */
  files?: readonly string[];
  /** Added to its environment. */
  environment?: Record<string, string>;
  /** Address of its name server. Undefined: it does not reach the Internet and resolves no names. */
  nameServer?: string;
  /** True: no sandbox, to measure a browser that opens only our own pages. */
  isTrusted?: boolean;
};

type BrowserCommand = {
  /** Program and arguments that the host starts; the browser's switches are appended. */
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

/** Graphics devices (Direct Rendering and NVIDIA), and the files in which drivers look them up. */
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

/** X display of this command: its sockets, and a copy of its key, which belongs to another user. */
function display(): { devices: string[]; copies: Record<string, string>; environment: Record<string, string> } {
  const key = process.env['XAUTHORITY'] ?? join(process.env['HOME'] ?? '/root', '.Xauthority');
  const [copies, named] = existsSync(key) ? [{ '/etc/xauthority': key }, { XAUTHORITY: '/etc/xauthority' }] : [{}, {}];
  return { devices: ['/tmp/.X11-unix'], copies, environment: { ...kept(['DISPLAY']), ...named } };
}

/** `directory`: folder for the browser's files, to which no other program writes. */
export async function browserCommand(options: BrowserCommandOptions, directory: string): Promise<BrowserCommand> {
  const { executable, headed, files = [], environment = {}, nameServer, isTrusted = false } = options;
  const way = bareTextEnvironment();
  const found: Confinement = isTrusted
    ? { isConfined: false, hasChromiumSandbox: false, obstacle: 'it is measured' }
    : await confinementOf(options);
  if (!found.isConfined) {
    // a headed browser needs the user's home to find the display's key
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
