/** Moves the windows of the demonstration to their places. */
import { messageOf } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';
import { answerMs } from '../trial/browser/devtools.ts';
import type { BrowserWindow, WindowPlace } from '../trial/browser/launch.ts';
import { ask, soon } from '../trial/browser/page.ts';

const screenInPage =
  '({ left: screen.availLeft, top: screen.availTop, width: screen.availWidth, height: screen.availHeight })';

type OfPage = Pick<BrowserWindow, 'page'>;

/**
 * Returns the area of the screen that windows may take. `ms`: time limit. Throws `browser-died` if the browser does not
 * answer.
 */
export function screenOf(window: OfPage, ms = answerMs): Promise<WindowPlace> {
  return ask<WindowPlace>(window, screenInPage, ms);
}

/**
 * Moves a window to its place. If the window system does not allow this, the window stays where it is and a line is
 * printed.
 */
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
