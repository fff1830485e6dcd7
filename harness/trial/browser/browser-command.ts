/** A browser's command line, in a sandbox (confine.ts) where this machine lets it have one. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareTextEnvironment } from '../../../core/system/child-environment.ts';
import { confineScript, ofBrowser } from './confine.ts';
import { browserUser, type Confinement, confinementOf, hasOwnDisplay, waylandDisplay } from './confinement.ts';
import { withResolver } from './own-resolver.ts';
import { findVirtualDisplay } from './virtual-display.ts';

export type BrowserCommandOptions = {
  executable: string;
  /** With a window, on the display that this command has. */
  headed: boolean;
  /** It opens pages of the Internet: where it is confined, its window is on a display of its own, which nobody sees. */
  showsInternet?: boolean;
  /** Files and folders that it has to read, beside its own program: a page, a camera. */
  files?: readonly string[];
  /** Added to its environment. */
  environment?: Record<string, string>;
  /** Address that it asks for names; without it, where nothing of the Internet is reached, nobody. */
  nameServer?: string;
  /** Not in a sandbox, for a measurement of the browser itself that opens nothing but our own pages. */
  isTrusted?: boolean;
};

type BrowserCommand = {
  /** What its host starts; the browser's switches come behind. */
  command: string[];
  /** For the programs on the way to the browser, and for the browser itself where it has no sandbox. */
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

/** Graphics: cards of Direct Rendering and of NVIDIA, and what drivers look up of them. */
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

/** The X display of this command: its sockets, and the key to it, which belongs to somebody else. */
function display(): { devices: string[]; copies: Record<string, string>; environment: Record<string, string> } {
  const key = process.env['XAUTHORITY'] ?? join(process.env['HOME'] ?? '/root', '.Xauthority');
  const [copies, named] = existsSync(key) ? [{ '/etc/xauthority': key }, { XAUTHORITY: '/etc/xauthority' }] : [{}, {}];
  return { devices: ['/tmp/.X11-unix'], copies, environment: { ...kept(['DISPLAY']), ...named } };
}

/** `directory`: of the browser's own files, which nobody else writes to. */
export async function browserCommand(options: BrowserCommandOptions, directory: string): Promise<BrowserCommand> {
  const { executable, headed, files = [], environment = {}, nameServer, isTrusted = false } = options;
  const way = bareTextEnvironment();
  const found: Confinement = isTrusted
    ? { isConfined: false, hasChromiumSandbox: false, obstacle: 'it is measured' }
    : await confinementOf(options);
  if (!found.isConfined) {
    // a headed browser needs the user's own home to find the display's key
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
