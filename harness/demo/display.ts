/** Display for the demonstration's windows: the user's display, or a virtual one (Xvfb(1)). */
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { CoexistError } from '../../core/errors.ts';
import type { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import type { Lease } from '../../core/system/lease.ts';
import { localHost } from '../../core/system/local-host.ts';
import { virtualDisplayWords } from '../trial/browser/virtual-display.ts';
import { pictureOf } from './screen-picture.ts';

const program = 'Xvfb';
const startMs = 10_000;

const given = (environment: NodeJS.ProcessEnv, name: string) => (environment[name] ?? '') !== '';

function isInstalled(environment: NodeJS.ProcessEnv): boolean {
  return (environment['PATH'] ?? '').split(delimiter).some(directory => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return directory !== '';
    } catch {
      return false;
    }
  });
}

/** Throws `no-display` with a hint if there is no display, or if a virtual display is requested and Xvfb is missing. */
export function checkDisplay(virtual: boolean, environment: NodeJS.ProcessEnv = process.env): void {
  if (virtual) {
    if (!isInstalled(environment))
      throw new CoexistError('no-display', '--xvfb needs the program Xvfb, which is not installed', {
        hint: 'apt-get install xvfb',
      });
    return;
  }
  if (given(environment, 'DISPLAY') || given(environment, 'WAYLAND_DISPLAY')) return;
  const install = isInstalled(environment) ? '' : 'install Xvfb (apt-get install xvfb) and run it ';
  throw new CoexistError(
    'no-display',
    'the demonstration needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set',
    { hint: `run it in a graphical session, or ${install}with --xvfb on a screen that nobody sees` },
  );
}

/** Virtual display, which no screen shows. */
export type VirtualDisplay = {
  /** Value of the environment variable DISPLAY, for example ":99". */
  name: string;
  /** Returns what the display shows now, as a PNG file. */
  picture(): Buffer;
  stop(): Promise<void>;
};

/** Returns the text for the terminal that says which display is used and where the user can watch it. */
export function displayWords(virtual: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  if (virtual !== undefined)
    return (
      `screen: ${virtual}, a display of Xvfb that nobody sees. What happens there: the page with the controls (below) ` +
      'in a browser of your own, or --picture FILE.png for a picture of the screen at the end'
    );
  const name = given(environment, 'WAYLAND_DISPLAY') ? 'WAYLAND_DISPLAY' : 'DISPLAY';
  return `screen: ${environment[name]!} (from ${name}): three windows open there, two with the stream, one with the controls`;
}

/** Returns the terminal message on how to open the page with the controls. */
export function controlsWords(url: string): string {
  const { port } = new URL(url);
  return (
    `controls: ${url}\n` +
    `  (their own window shows this page; any browser on this machine can. From another machine: ` +
    `ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE, then the same address there)`
  );
}

/** Starts a virtual display, on which all windows appear that are opened afterwards. */
export async function openVirtualDisplay(lease: Lease): Promise<VirtualDisplay> {
  // --pdeathsig TERM: Xvfb removes its lock and socket even if the harness is killed
  const words = [program, ...virtualDisplayWords(3), '-fbdir', lease.scratch];
  const child: Child = localHost.start(program, ['setpriv', '--pdeathsig', 'TERM', '--', ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) lease.addProcess(program, child.pid);
  const gone = child.ended.then(() => {
    throw new CoexistError('no-display', `Xvfb did not start: ${child.lastWords}`);
  });
  gone.catch(() => {});
  try {
    const [number] = (await within(
      Promise.race([once(child.process.stdio[3] as Readable, 'data'), gone]),
      startMs,
      'Xvfb to start',
      { code: 'no-display' },
    )) as [Buffer];
    const name = (process.env['DISPLAY'] = `:${number.toString().trim()}`);
    delete process.env['WAYLAND_DISPLAY'];
    return {
      name,
      picture: () => pictureOf(readFileSync(join(lease.scratch, 'Xvfb_screen0'))),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
