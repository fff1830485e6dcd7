/** Asking a page of a browser. */
import { CoexistError, messageOf } from '../base/errors.ts';
import type { BrowserWindow } from './launch.ts';

/** Opens a page. Throws `browser-failed`; `what` is the page in words: "the media server's page". */
export async function goTo({ page }: BrowserWindow, url: string, what: string, timeoutMs: number): Promise<void> {
  try {
    await page.goto(url, { timeout: timeoutMs });
  } catch (error) {
    throw new CoexistError('browser-failed', `the browser could not open ${what}: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}

/** The value of an expression in the page. Throws `browser-died` where it does not answer. */
export async function ask<T>({ page }: BrowserWindow, expression: string): Promise<T> {
  try {
    return await page.evaluate<T>(expression);
  } catch (error) {
    throw new CoexistError('browser-died', `the browser's page does not answer: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}
