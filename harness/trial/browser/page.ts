/** Opens a page of a browser and evaluates expressions in it. */

import { CoexistError, messageOf } from '../../../core/errors.ts';
import { within } from '../../../core/system/deadline.ts';
import { answerMs } from './devtools.ts';
import type { BrowserWindow } from './launch.ts';

/**
 * Opens an address in the page of a window. Throws `browser-failed` if the address cannot be opened. `what`: name of
 * the page in the error, such as "the media server's page".
 */
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
 * Adds a deadline to a call of Playwright that has none. Throws `browser-died` if browser or page do not answer within
 * `ms`.
 */
export function soon<T>(answer: Promise<T>, ms = answerMs): Promise<T> {
  return within(answer, ms, "the browser's page to answer", { code: 'browser-died' });
}

/**
 * Evaluates an expression in the page and returns its value. Throws the page's error, or `browser-died` if no answer
 * comes in time.
 */
export async function evaluate<T>(
  { page }: Pick<BrowserWindow, 'page'>,
  expression: string,
  ms = answerMs,
): Promise<T> {
  return soon(page.evaluate<T>(expression), ms);
}

/**
 * Evaluates an expression in the page and returns its value. Throws `browser-died` if the page does not answer or
 * throws.
 */
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
