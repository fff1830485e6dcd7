/** Where the windows of the demonstration stand. */
import { messageOf } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';
import { answerMs } from '../trial/browser/devtools.ts';
import type { BrowserWindow, WindowPlace } from '../trial/browser/launch.ts';
import { ask, soon } from '../trial/browser/page.ts';

const screenInPage =
  '({ left: screen.availLeft, top: screen.availTop, width: screen.availWidth, height: screen.availHeight })';

type OfPage = Pick<BrowserWindow, 'page'>;

/** What of the screen windows may take. Throws `browser-died` where the browser does not answer. */
export function screenOf(window: OfPage, ms = answerMs): Promise<WindowPlace> {
  return ask<WindowPlace>(window, screenInPage, ms);
}

/** Moves a window; one that its system does not let be moved stays where it is, and a line says so. */
export async function place({ page }: OfPage, bounds: WindowPlace, ms = answerMs): Promise<void> {
  const move = async () => {
    const session = await page.context().newCDPSession(page);
    const { windowId } = await session.send('Browser.getWindowForTarget');
    await session.send('Browser.setWindowBounds', { windowId, bounds });
  };
  try {
    await soon(move(), ms);
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    process.stderr.write(`the window with the controls stays where it is: ${printable(reason)}\n`);
  }
}
