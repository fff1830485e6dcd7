/** Paths of the checkout and of the folders in it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
/** Folder for files that set-up made and can make again, such as the generated clip and stamps. */
export const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url));
/**
 * Folder for the results of runs. For an installed package it is in the directory in which the user called the command
 * (harness/setup/package-bin.mjs), otherwise in the checkout.
 */
export const runsFolder = join(process.env['COEXIST_DIRECTORY'] || projectRoot, 'runs/');
