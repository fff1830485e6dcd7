/** Asking a page of a browser. */

import { CoexistError, messageOf } from '../../../core/errors.ts';
import { within } from '../../../core/system/deadline.ts';
import { answerMs } from './devtools.ts';
import type { BrowserWindow } from './launch.ts';

/** Opens a page. Throws `browser-failed`; `what` is the page in words: "the media server's page". */
export async function goTo({ page }: BrowserWindow, url: string, what: string, timeoutMs: number): Promise<void> {
  try {
    await page.goto(url, { timeout: timeoutMs });
  } catch (error) {
    throw new CoexistError('browser-failed', `the browser could not open ${what}: ${messageOf(error).split('\n')[0]}`, {
      cause: error,
    });
  }
}

/**
 * What the browser or its page answers to a call of Playwright's that has no deadline of its own. Throws `browser-died`
 * where it answers nothing in time.
 */
export function soon<T>(answer: Promise<T>, ms = answerMs): Promise<T> {
  return within(answer, ms, "the browser's page to answer", { code: 'browser-died' });
}

/**
 * The value of an expression in the page, or what the page throws. Throws `browser-died` where it answers nothing in
 * time.
 */
export async function evaluate<T>(
  { page }: Pick<BrowserWindow, 'page'>,
  expression: string,
  ms = answerMs,
): Promise<T> {
  return soon(page.evaluate<T>(expression), ms);
}

/** The value of an expression in the page. Throws `browser-died` where it does not answer, or with a failure. */
export async function ask<T>(window: Pick<BrowserWindow, 'page'>, expression: string, ms = answerMs): Promise<T> {
  try {
    return await evaluate<T>(window, expression, ms);
  } catch (error) {
    if (error instanceof CoexistError) throw error;
    throw new CoexistError('browser-died', `the browser's page does not answer: ${messageOf(error).split('\n')[0]}`, {
      cause: error,
    });
  }
}
