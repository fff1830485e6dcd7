/**
 * Gives browsers the two pages of a call from the harness, without a server. The pages have a secure address, since
 * only those may use a camera.
 */
import { pages, readPageFile } from '../../../server/pages/page-file.ts';
import { answerMs } from '../../trial/browser/devtools.ts';
import type { BrowserWindow } from '../../trial/browser/launch.ts';
import { goTo, soon } from '../../trial/browser/page.ts';

/** Origin of the pages. The name is never resolved: RFC 6761 reserves ".test". */
const origin = 'https://call.test';
const openMs = 15_000;

export async function openCallPage(browser: BrowserWindow, name: 'caller' | 'callee', ms = answerMs): Promise<void> {
  const served = browser.page.route(`${origin}/**`, async route => {
    const file = (pages.call as Record<string, string>)[new URL(route.request().url()).pathname];
    if (file === undefined) return route.fulfill({ status: 404 });
    const { body, type } = await readPageFile(file);
    await route.fulfill({ body, contentType: type });
  });
  await soon(served, ms);
  await goTo(browser, `${origin}/${name}`, `the ${name}'s page`, openMs);
}
